public import HearingFitting

/// A picture of the insertion gain of a preset as a function of frequency, for soft, average and
/// loud sounds. There is a panel for each ear.
///
///     let picture = InsertionGainPicture(preset)
///     try picture.svg.data.write(to: url)
///
/// The input levels 50, 65 and 80 dB SPL are band levels. The gain is the gain of the preset, with
/// its limits and its expansion. The curves of different levels differ in their dashes and symbols,
/// and not in colour. If the gain of an ear does not depend on the level, the ear has only one
/// curve. If an ear is unknown, its panel is empty and says that the ear was not measured.
///
/// The picture does not show measured gains or the gain of a rule without limits. The gain of a
/// rule is the result of `PrescriptionRule.insertionGain(for:at:inputLevel:)`.
public struct InsertionGainPicture: Sendable, Equatable {
  /// The preset.
  public var preset: Preset
  /// The title of the picture. If the title is longer than one line, it is cut off.
  public var title: String

  /// Creates a picture of a preset.
  public init(_ preset: Preset, title: String = "Insertion gain") {
    self.preset = preset
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture { SVGPicture(title: title, summary: summary, draw: draw) }

  private var summary: String {
    Ear.sentences { ear in
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
  }
}
