import Foundation
import HearingAudio
import HearingDSP

/// What a processor is set to while its cost is measured.
enum RenderedChain: String, CaseIterable {
  case linear
  case compression

  /// The most that a stereo frame of ten bands may cost, in ns.
  func limit(block: Int) -> String {
    guard block > 1 else { return "100" }
    switch self {
    case .linear: return "10"
    case .compression: return "25"
    }
  }

  func settings(
    layout: BandLayout, channels: Int, intensity: Double = 1
  ) throws -> ProcessorSettings {
    let count = layout.centers.count
    switch self {
    case .linear:
      let gains = (1...count).map { 20 * Double($0) / Double(count) }
      return ProcessorSettings(
        gains: Array(repeating: gains, count: channels), intensity: intensity)
    case .compression:
      let curve = try BandCurve(points: [
        .init(level: 20, gain: 17), .init(level: 40, gain: 37), .init(level: 105, gain: -6.5),
      ])
      return ProcessorSettings(
        curves: Array(repeating: Array(repeating: curve, count: count), count: channels),
        intensity: intensity)
    }
  }

  /// A processor that does it.
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

  /// What a frame costs while the sound of `benchmarks` is rendered in blocks of `size` frames.
  func cost(
    of benchmarks: SignalBenchmarks, bands: Int, channels: Int, block size: Int
  ) throws -> Measurement {
    let processor = try processor(
      bands: bands, channels: channels, sampleRate: benchmarks.sampleRate)
    let source = AudioBlock((0..<channels).map { benchmarks.sound[$0 % benchmarks.sound.count] })
    let frames = min(source.frameCount, size == 1 ? 9_600 : 96_000) / size * size
    let block = AudioBlock(channelCount: channels, capacity: size)
    block.frameCount = size
    // The copy into the block stands for the host that fills it; it is timed apart and taken off.
    func render(_ process: Bool) {
      var position = 0
      while position < frames {
        for channel in 0..<channels {
          block.channels[channel].update(from: source.channels[channel] + position, count: size)
        }
        if process { processor.process(block) }
        position += size
      }
    }
    let copying = Measurement.nanoseconds(rounds: 15, operations: frames) { render(false) }
    let all = Measurement.nanoseconds(rounds: 15, operations: frames) { render(true) }
    return Measurement(
      best: all.best - copying.best, median: all.median - copying.median, allocations: 0)
  }

  /// Bands at equal distances over five and a half octaves.
  private static func layout(bands: Int) throws -> BandLayout {
    try BandLayout(centers: (0..<bands).map { 200 * pow(2, 5.5 * Double($0) / Double(bands)) })
  }
}
