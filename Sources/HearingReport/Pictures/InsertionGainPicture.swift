public import HearingFitting

/// The insertion gain of a preset over frequency, for soft, average and loud sounds. There is a
/// panel for each ear.
///
///     let picture = InsertionGainPicture(preset)
///     try picture.svg.data.write(to: url)
///
/// The input levels 50, 65 and 80 dB SPL are band levels. The gain is the gain of the preset,
/// including its limits and its expansion. The curves of different levels differ by dash and
/// symbol, and not by colour. An ear whose gain does not depend on the level has one curve. The
/// panel of an unknown ear is empty, and states that the ear was not measured.
///
/// The picture does not show measured gains or the gain of a rule without limits. For the latter,
/// see `PrescriptionRule.insertionGain(for:at:inputLevel:)`.
public struct InsertionGainPicture: Sendable, Equatable {
  /// The preset.
  public var preset: Preset
  /// The heading of the picture. It is truncated to one line.
  public var title: String

  /// Creates a picture of a preset.
  public init(_ preset: Preset, title: String = "Insertion gain") {
    self.preset = preset
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture {
    SVGPicture(title: title, summary: summary) { canvas in
      InsertionGainDrawing(preset, layout: canvas.layout).draw(on: &canvas)
    }
  }

  private var summary: String {
    let ears = Ear.clinicalOrder.map { ear in
      guard let gains = preset[ear] else { return "\(ear.title): not measured, no gain." }
      let levels = gains.isLevelDependent ? PlottedValues.inputLevels : [65]
      let curves = levels.map { level in
        let values = [500.0, 1000, 2000, 4000].map { frequency in
          "\(frequency.readable()) Hz "
            + gains.gain(at: frequency, inputLevel: level).readable()
        }
        let input = gains.isLevelDependent ? "at \(level.readable()) dB SPL" : "at every level"
        return "\(input) \(values.joined(separator: ", "))"
      }
      return "\(ear.title), gain in dB: \(curves.joined(separator: "; "))."
    }
    return ears.joined(separator: " ")
  }
}
