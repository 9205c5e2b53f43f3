public import HearingFitting

/// Output level over input level in several bands, both ears in a panel for each.
///
///     let picture = InputOutputPicture(preset)
///     InputOutputPicture(preset, frequencies: [500, 1000, 2000, 4000])
///
/// Levels are those of a sound within the band, in dB SPL, from 0 to 120; the output is the input
/// plus the preset's insertion gain, held at its maximum output. A broken diagonal shows where the
/// output equals the input. Where a curve is flatter than the diagonal, loud sounds are amplified
/// less than soft ones. The right ear is red, solid, with circles at 50, 65 and 80 dB SPL, the left
/// ear blue, dashed, with crosses. An unknown ear has no curve, and the legend says so.
///
/// This type is not for time constants or for sounds of several bands at once.
public struct InputOutputPicture: Sendable, Equatable {
  /// What is drawn.
  public var preset: Preset
  /// The frequencies in Hz, a panel for each: one to twelve, above 0.
  public let frequencies: [Double]
  /// What stands above the picture; cut off where it is too long for a line.
  public var title: String

  /// The frequencies drawn unless others are named, in Hz.
  public static let usualFrequencies: [Double] = [250, 500, 1000, 2000, 4000, 8000]

  /// The input and output levels drawn, in dB SPL.
  static let levels: ClosedRange<Double> = 0...120

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
    var canvas = Canvas()
    canvas.pictureTitle(title)
    let height = InputOutputDrawing(preset, frequencies: frequencies).draw(on: &canvas)
    return SVGPicture(
      title: title, summary: summary, height: height, elements: canvas.elements)
  }

  private var summary: String {
    let ears = Ear.clinicalOrder.map { ear in
      guard let gains = preset[ear] else { return "\(ear.title): not measured." }
      let bands = frequencies.map { frequency in
        let outputs = InsertionGainPicture.inputLevels.map {
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
