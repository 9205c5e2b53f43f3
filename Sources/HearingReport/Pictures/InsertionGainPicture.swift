public import HearingFitting

/// The insertion gain of a preset over frequency, for soft, average and loud sounds, a panel for
/// each ear.
///
///     let picture = InsertionGainPicture(preset)
///     try picture.svg.data.write(to: url)
///
/// Input levels are those of a sound within one band, in dB SPL; the gain is the preset's own, with
/// its limits and its expansion. Levels differ by dash and symbol, not by colour. An ear whose gain
/// is the same at every level has one curve. An unknown ear has an empty panel that says so.
///
/// This type is not for what a rule prescribes before a preset limits it (see
/// `PrescriptionRule.insertionGain(for:at:inputLevel:)`), nor for measured gains.
public struct InsertionGainPicture: Sendable, Equatable {
  /// What is drawn.
  public var preset: Preset
  /// What stands above the picture; cut off where it is too long for a line.
  public var title: String

  /// The input levels drawn, in dB SPL: soft, average and loud.
  public static let inputLevels: [Double] = [50, 65, 80]

  /// The frequencies in Hz that bear a symbol.
  static let markedFrequencies: [Double] = [
    125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000,
  ]

  /// A picture of a preset.
  public init(_ preset: Preset, title: String = "Insertion gain") {
    self.preset = preset
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture {
    var canvas = Canvas()
    canvas.pictureTitle(title)
    let height = InsertionGainDrawing(preset).draw(on: &canvas)
    return SVGPicture(
      title: title, summary: summary, height: height, elements: canvas.elements)
  }

  private var summary: String {
    let ears = Ear.clinicalOrder.map { ear in
      guard let gains = preset[ear] else { return "\(ear.title): not measured, no gain." }
      let levels = gains.isLevelDependent ? Self.inputLevels : [65]
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
