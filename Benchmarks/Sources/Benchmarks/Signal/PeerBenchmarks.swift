import Foundation
import HearingAudio
import HearingDSP

/// Prints the cost of rendering a file. `peers/compression.py` and `peers/linear.py` read the lines
/// and measure other programs in the same way.
///
/// Each line contains the name of the processor's settings, the number of frames per block, and the
/// minimum and the median CPU time in ns per frame.
struct PeerBenchmarks {
  private let sound: AudioBlock
  private let sampleRate: Double

  init(path: String) throws {
    let reader = try WAVReader(path: path)
    sound = AudioBlock(try reader.readSamples())
    sampleRate = reader.sampleRate
  }

  func run() throws {
    let curve = try RenderedChain.curve
    let curves = (0..<sound.channelCount).map { _ in Array(repeating: curve, count: 10) }
    let gains = (0..<sound.channelCount).map { _ in (1...10).map { 2 * Double($0) } }
    let compressing = ProcessorSettings(curves: curves, outputCeiling: 95)
    for block in [64, 512] {
      try measure(
        "linear",
        ProcessorSettings(
          gains: gains, outputCeiling: 140, allowsOutputAboveFullScale: true), block: block)
      try measure("compression", compressing, block: block)
      try measure(
        "look-ahead", compressing, LimiterConfiguration(lookAhead: 0.002, isLinked: true),
        block: block)
    }
  }

  private func measure(
    _ name: String, _ settings: ProcessorSettings,
    _ limiter: LimiterConfiguration = LimiterConfiguration(), block size: Int
  ) throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: sampleRate, channelCount: sound.channelCount),
      limiter: limiter)
    try processor.apply(settings)
    let blocks = SoundInBlocks(sound, size: size)
    let copying = cost(blocks.frameCount) { blocks.render(nil) }
    let all = cost(blocks.frameCount) { blocks.render(processor) }
    print(
      name, size, (all.best - copying.best).digits(2), (all.median - copying.median).digits(2))
  }

  /// The minimum and the median CPU time in ns per frame, over seven calls of `body`. An additional
  /// call before them is not timed.
  private func cost(_ frames: Int, _ body: () -> Void) -> (best: Double, median: Double) {
    body()
    let times = (0..<7).map { _ in
      let start = clock()
      body()
      return Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1e9 / Double(frames)
    }.sorted()
    return (times[0], times[3])
  }
}
