public import HearingFitting

/// A picture of the output level as a function of the input level, in several bands. There is a
/// panel for each band. Each panel shows both ears.
///
///     let picture = InputOutputPicture(preset)
///     InputOutputPicture(preset, frequencies: [500, 1000, 2000, 4000])
///
/// Levels are band levels in dB SPL, from 0 to 120. The output is the input plus the preset's
/// insertion gain, limited to the preset's maximum output. On the dashed diagonal line, the output
/// level equals the input level. Where a curve is flatter than this line, loud sounds get less gain
/// than soft sounds.
///
/// The right ear has a red solid line with circles at 50, 65 and 80 dB SPL. The left ear has a blue
/// dashed line with crosses at these levels. An unknown ear has no curve. The legend then says that
/// this ear was not measured.
///
/// The picture does not show attack and release times. The picture also does not show the output
/// for sounds that are in several bands at once.
public struct InputOutputPicture: Sendable, Equatable {
  /// The preset.
  public var preset: Preset
  /// The frequencies of the panels in Hz. There are one to twelve frequencies, all above 0.
  public let frequencies: [Double]
  /// The title of the picture. If the title is longer than one line, it is cut off.
  public var title: String

  /// The default frequencies in Hz.
  public static let usualFrequencies: [Double] = [250, 500, 1000, 2000, 4000, 8000]

  /// Creates a picture of a preset at one to twelve frequencies, each above 0 Hz.
  public init(
    _ preset: Preset, frequencies: [Double] = usualFrequencies,
    title: String = "Output over input"
  ) {
    precondition((1...12).contains(frequencies.count), "\(frequencies.count) panels")
    precondition(
      frequencies.allSatisfy { $0 > 0 && $0.isFinite }, "frequencies of \(frequencies) Hz")
    self.preset = preset
    self.frequencies = frequencies
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture { SVGPicture(title: title, summary: summary, draw: draw) }

  private var summary: String {
    Ear.sentences { ear in
      guard let gains = preset[ear] else { return "\(ear.title): not measured." }
      let bands = frequencies.map { frequency in
        let outputs = PlottedValues.inputLevels.map {
          gains.output(at: frequency, inputLevel: $0).readable()
        }
        return "\(frequency.readable()) Hz \(outputs.joined(separator: ", "))"
      }
      return "\(ear.title), output in dB SPL for inputs of 50, 65 and 80 dB SPL: "
        + "\(bands.joined(separator: "; ")); at most \(gains.maximumOutput.readable())."
    }
  }
}
