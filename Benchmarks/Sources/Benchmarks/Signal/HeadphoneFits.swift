import Foundation
import HearingAudio
import HearingDSP

/// Prints corrections that are fitted to measured headphones. checks/headphone-fit.py reads the
/// output.
enum HeadphoneFits {
  /// Fits a correction to the response in a CSV file. Prints a comment with the error of the fit,
  /// then the correction in the format of AutoEq's ParametricEQ.txt.
  static func print(path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let clock = ContinuousClock()
    let begin = clock.now
    let fit = HeadphoneCorrection.fitted(to: try FrequencyCurve(csv: text))
    let time = clock.now - begin
    Swift.print("# \(path): \(fit.error) dB RMS from 50 Hz to 10 kHz, in \(time)")
    Swift.print("Preamp: \(fit.correction.preampGain) dB")
    for (index, section) in fit.correction.sections.enumerated() {
      let kind =
        switch section.kind {
        case .peak: "PK"
        case .lowShelf: "LSC"
        case .highShelf: "HSC"
        }
      Swift.print(
        "Filter \(index + 1): ON \(kind) Fc \(section.frequency) Hz Gain \(section.gain) dB "
          + "Q \(section.quality)")
    }
  }
}
