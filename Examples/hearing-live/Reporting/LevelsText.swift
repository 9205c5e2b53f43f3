import Foundation
import HearingAudio
import HearingDSP

/// A processor's measurements as a line of JSON, with levels in dB SPL and gains in dB.
enum LevelsText {
  static func line(_ levels: BandLevels, fullScale: Calibration) -> String {
    JSONLine.text([
      "channels": levels.channels.map { channel in
        [
          "inputPeak": peak(channel.inputPeak, fullScale),
          "outputPeak": peak(channel.outputPeak, fullScale),
          "gains": channel.gains.map(JSONLine.level),
          "inputLevels": channel.inputLevels.map { $0.map(JSONLine.level) as Any } ?? NSNull(),
          "limiterReduction": JSONLine.level(channel.limiterReduction),
          "limitedFrames": channel.limitedFrameCount,
        ] as [String: Any]
      }
    ])
  }

  /// The level in dB SPL of a sine with the peak `magnitude`.
  private static func peak(_ magnitude: Double, _ fullScale: Calibration) -> Any {
    let unit = fullScale.peakAmplitude(ofSineAt: 0)
    return JSONLine.level(20 * log10(magnitude / unit))
  }
}

/// JSON on one line with sorted keys.
enum JSONLine {
  /// The text of an object that `JSONSerialization` accepts.
  static func text(_ object: [String: Any]) -> String {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? JSONSerialization.data(withJSONObject: object, options: options) else {
      preconditionFailure("\(object.keys.sorted()) cannot be written as JSON")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// A level rounded to 0.1 dB; null if the level is not finite.
  static func level(_ decibels: Double) -> Any {
    decibels.isFinite ? (decibels * 10).rounded() / 10 : NSNull()
  }
}
