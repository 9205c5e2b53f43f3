import Foundation
import HearingAudio
import HearingDSP

/// What a processor measures, as a line of JSON: levels in dB SPL, gains in dB.
enum LevelsText {
  static func line(_ levels: BandLevels, fullScale: Calibration) -> String {
    JSONText.line([
      "channels": levels.channels.map { channel in
        [
          "inputPeak": peak(channel.inputPeak, fullScale),
          "outputPeak": peak(channel.outputPeak, fullScale),
          "gains": channel.gains.map(JSONText.level),
          "inputLevels": channel.inputLevels.map { $0.map(JSONText.level) as Any } ?? NSNull(),
          "limiterReduction": JSONText.level(channel.limiterReduction),
          "limitedFrames": channel.limitedFrameCount,
        ] as [String: Any]
      }
    ])
  }

  /// The level of a sine with this peak.
  private static func peak(_ magnitude: Double, _ fullScale: Calibration) -> Any {
    let unit = fullScale.peakAmplitude(ofSineAt: 0)
    return JSONText.level(20 * log10(magnitude / unit))
  }
}
