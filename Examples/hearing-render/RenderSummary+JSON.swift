import Foundation
import HearingAudio
import HearingDSP
import HearingFitting

extension RenderSummary {
  /// The summary as JSON. Levels are in dB SPL and gains in dB.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // All numbers are finite, because levels of silence are omitted.
    let data = try? encoder.encode(Document(self))
    return String(decoding: data ?? Data(), as: UTF8.self) + "\n"
  }

  private struct Document: Encodable {
    let input: String
    let output: String
    let before: String?
    /// The file of the headphone correction; nil without a correction.
    let headphone: String?
    let seconds: Double
    let fullScaleSPL: Double
    let attenuation: Double
    let fullScaleSPLOfOutput: Double
    let volume: String?
    let clippedSamples: Int
    let channels: [Channel]
    let bands: [BandGain]

    init(_ summary: RenderSummary) {
      let (options, sound) = (summary.options, summary.sound)
      input = options.input ?? "the embedded recording"
      output = options.output
      before = options.comparisonPath
      headphone = options.headphonePath
      seconds = sound.seconds
      fullScaleSPL = summary.fullScale.level
      attenuation = sound.scaling.attenuation
      fullScaleSPLOfOutput = sound.scaling.fullScaleSPL
      volume = summary.volume
      clippedSamples = sound.clippedSampleCount
      channels = sound.input.indices.map { channel in
        Channel(
          ear: channel == 0 ? "left" : "right",
          before: level(sound.input[channel]), after: level(sound.output[channel]),
          limitedFraction: sound.progress.frameCount > 0
            ? Double(sound.levels.channels[channel].limitedFrameCount)
              / Double(sound.progress.frameCount) : 0)
      }
      bands = summary.bands.map {
        BandGain(
          frequency: $0.center, level: $0.level, prescribed: $0.prescribed, measured: $0.measured)
      }
      func level(_ reading: LevelMeter.Reading) -> Double? {
        reading.rms > 0 ? reading.rmsDecibels + summary.fullScale.level : nil
      }
    }
  }

  private struct Channel: Encodable {
    let ear: String
    /// RMS levels in dB SPL; nil for silence.
    let before: Double?
    let after: Double?
    /// The fraction of time in which the limiter reduces the gain by more than 0.5 dB, 0…1.
    let limitedFraction: Double
  }

  private struct BandGain: Encodable {
    let frequency: Double
    let level: Double
    let prescribed: [Double?]
    let measured: [Double]
  }
}
