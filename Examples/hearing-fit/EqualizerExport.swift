import ExampleSupport
import Foundation
import HearingAudio
import HearingDSP
import HearingFitting

/// A preset as a settings file for another program's equaliser, with notes for the user.
struct EqualizerExport {
  let path: String
  let format: EqualizerFormat
  let settings: EqualizerSettings
  /// The largest gain in dB that the file contains.
  private let largestGain: Double

  init(_ preset: Preset, options: FitOptions.Export) {
    path = options.path
    format = options.format
    settings = EqualizerSettings(preset: preset, inputLevel: options.inputLevel)
    // If the format has one curve for both ears, the file contains the smaller of the two ears'
    // gains at each frequency.
    let ears = [settings.left, settings.right]
    let isShared = !format.hasCurveForEachEar
    largestGain =
      (0...1_000).compactMap { step in
        let gains = ears.map { $0.response(at: 20 * pow(1_000, Double(step) / 1_000)) }
        return isShared ? gains.min() : gains.max()
      }.max() ?? 0
  }

  /// Creates the staged file. The caller commits it.
  func stage() throws(CommandFailure) -> StagedFile {
    let text: String
    do throws(EqualizerError) {
      text = try settings.text(format)
    } catch {
      throw .badData(input: path, reason: error.description)
    }
    let file = try StagedFile(for: path)
    try file.write(Data(text.utf8))
    return file
  }

  /// Explains which properties of the preset the file does not contain.
  var explanation: String {
    let level = Int(settings.inputLevel.rounded())
    var lines = [
      "\(path): the gains for an input of \(level) dB SPL in each band, at every level. Compression",
      "and the maximum output are lost: loud sounds get as much gain. Lower the volume before you",
      "switch it on.",
    ]
    if largestGain >= 1 {
      let gain = Int(largestGain.rounded(.up))
      lines += [
        "The gains reach \(gain) dB. Without as much digital headroom, loud passages clip and distort:",
        "lower the preamp of the equaliser, or the volume of the player, by \(gain) dB, and turn up",
        "the amplifier of the headphone instead.",
      ]
    }
    if !format.hasCurveForEachEar, !settings.isSameForBothEars {
      lines.append(
        "The format has one curve for both ears: at every frequency the smaller gain of both.")
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
