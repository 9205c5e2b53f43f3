import Foundation
import HearingAudio
import HearingDSP

/// The settings of the processor for a measurement of its cost.
enum RenderedChain: String, CaseIterable {
  case linear
  case compression
  /// Compression, and a limiter that reduces the gain nearly all the time.
  case limited

  /// The maximum permitted cost in ns of a stereo frame with ten bands.
  func limit(block: Int) -> String {
    guard block > 1 else { return "100" }
    switch self {
    case .linear: return "10"
    case .compression: return "25"
    case .limited: return "29"
    }
  }

  /// A gain curve with a compression ratio of 3:1 from 40 to 105 dB SPL, and expansion below 40 dB
  /// SPL.
  static var curve: BandCurve {
    get throws {
      try BandCurve(points: [
        .init(level: 20, gain: 17), .init(level: 40, gain: 37), .init(level: 105, gain: -6.5),
      ])
    }
  }

  func settings(
    layout: BandLayout, channels: Int, intensity: Double = 1
  ) throws -> ProcessorSettings {
    let count = layout.centers.count
    let gains = (1...count).map { BandCurve.gain(20 * Double($0) / Double(count)) }
    let curves = self == .linear ? gains : Array(repeating: try Self.curve, count: count)
    return ProcessorSettings(
      curves: Array(repeating: curves, count: channels), outputCeiling: self == .limited ? 85 : 140,
      allowsOutputAboveFullScale: true, intensity: intensity)
  }

  /// Creates a processor with these settings.
  func processor(
    bands: Int, channels: Int, sampleRate: Double,
    limiter: LimiterConfiguration = LimiterConfiguration()
  ) throws -> BandGainProcessor {
    let layout = try bands == 10 ? BandLayout.audiometric : Self.layout(bands: bands)
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: sampleRate, channelCount: channels), layout: layout,
      limiter: limiter)
    try processor.apply(settings(layout: layout, channels: channels))
    return processor
  }

  /// The cost per frame in blocks of `size` frames. The cost of copying samples into the blocks is
  /// subtracted. If the processor has more channels than `sound`, the channels of `sound` are
  /// repeated.
  func cost(
    of sound: [[Float]], sampleRate: Double, bands: Int, channels: Int, block size: Int
  ) throws -> Measurement {
    let processor = try processor(bands: bands, channels: channels, sampleRate: sampleRate)
    let blocks = SoundInBlocks(
      AudioBlock((0..<channels).map { sound[$0 % sound.count] }), size: size,
      maximumFrameCount: size == 1 ? 9_600 : 96_000)
    let frames = blocks.frameCount
    let copying = Measurement.nanoseconds(rounds: 15, operations: frames) { blocks.render(nil) }
    let all = Measurement.nanoseconds(rounds: 15, operations: frames) { blocks.render(processor) }
    return Measurement(
      best: all.best - copying.best, median: all.median - copying.median, allocations: 0)
  }

  /// A layout with band centres at equal distances on a logarithmic scale over 5.5 octaves.
  private static func layout(bands: Int) throws -> BandLayout {
    try BandLayout(centers: (0..<bands).map { 200 * pow(2, 5.5 * Double($0) / Double(bands)) })
  }
}
