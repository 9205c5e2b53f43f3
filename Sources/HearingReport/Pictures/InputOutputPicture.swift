public import HearingFitting

/// Output level over input level in several bands, with a panel for each band and both ears in it.
///
///     let picture = InputOutputPicture(preset)
///     InputOutputPicture(preset, frequencies: [500, 1000, 2000, 4000])
///
/// Levels are band levels in dB SPL, from 0 to 120; the output is the input plus the preset's
/// insertion gain, limited to its maximum output. On the dashed diagonal the output equals the
/// input. Where a curve is flatter than the diagonal, loud sounds get less gain than soft ones. The
/// right ear is red and solid with circles at 50, 65 and 80 dB SPL, the left ear blue and dashed
/// with crosses. An unknown ear has no curve; the legend says so.
///
/// Not for attack and release times, nor for sounds in several bands at once.
public struct InputOutputPicture: Sendable, Equatable {
  /// The preset.
  public var preset: Preset
  /// The frequencies of the panels in Hz: one to twelve, above 0.
  public let frequencies: [Double]
  /// The heading of the picture; truncated to one line.
  public var title: String

  /// The default frequencies in Hz.
  public static let usualFrequencies: [Double] = [250, 500, 1000, 2000, 4000, 8000]

  /// A picture of a preset; one to twelve frequencies in Hz, above 0.
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
  public var svg: SVGPicture {
    SVGPicture(title: title, summary: summary) { canvas in
      InputOutputDrawing(preset, frequencies: frequencies, layout: canvas.layout)
        .draw(on: &canvas)
    }
  }

  private var summary: String {
    let ears = Ear.clinicalOrder.map { ear in
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
    return ears.joined(separator: " ")
  }
}
