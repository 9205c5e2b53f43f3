import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

final class BandGainProcessorBlockTests: XCTestCase {
  private let leftGains = [0.1, 9.1, 14.1, 19.65, 21.2, 20.75, 21.3, 22.85, 24.4, 24.4]
  private let rightGains = [5.0, 4, 3, 2, 1, 0, -1, -2, -3, -4]

  /// Renders `input` while the limiter is active. The settings are applied before the first frame,
  /// and they change several times during rendering.
  private func rendered(
    rate: Double, _ input: [[Float]], blocks: [Int], interleaved: Bool = false
  ) throws -> [[Float]] {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: input.count),
      layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)))
    let bands = processor.layout.centers.count
    func gains(_ offset: Int) -> [[Double]] {
      input.indices.map { channel in
        Array(((channel + offset) % 2 == 0 ? leftGains : rightGains).prefix(bands))
      }
    }
    try processor.apply(ProcessorSettings(gains: gains(0), outputCeiling: 95))
    let count = input[0].count
    // The processor divides the stream into sub-blocks, windows and chunks of fixed length. The
    // settings change at frames at which none of them starts.
    let cuts = [0, count / 3 + 5, count / 2 + 1, count * 2 / 3 + 3, count]
    var result = input.map { _ in [Float]() }
    for (index, (start, end)) in zip(cuts, cuts.dropFirst()).enumerated() {
      switch index {
      case 1: try processor.apply(ProcessorSettings(gains: gains(1), outputCeiling: 90))
      case 2: try processor.apply(ProcessorSettings(gains: gains(0), isEnabled: false))
      case 3: try processor.apply(ProcessorSettings(gains: gains(1), outputCeiling: 95))
      default: break
      }
      let part = input.map { Array($0[start..<end]) }
      let output =
        interleaved
        ? processor.renderedInterleaved(part, blocks: blocks)
        : processor.rendered(part, blocks: blocks)
      for channel in input.indices { result[channel] += output[channel] }
    }
    return result
  }

  func test_process_anySplitIntoBlocks_isBitIdentical() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let count = Signals.isSanitized ? 3_000 : 40_000
    let rates: [Double] = Signals.isSanitized ? [48_000] : [8_000, 44_100, 48_000, 192_000]
    for rate in rates {
      for channels in Signals.isSanitized ? [2] : [1, 2, 3, 8] {
        let input = (0..<channels).map { _ in
          Signals.bursts(count: count, rate: 48_000, using: &generator)
        }
        let whole = try rendered(rate: rate, input, blocks: [8_192])
        let random = (0..<50).map { _ in Int.random(in: 1...600, using: &generator) }
        let splits: [[Int]] =
          Signals.isSanitized
          ? [[1], [64], [7, 300, 1]]
          : [[1], [2], [3], [16], [31], [32], [33], [64], [441], [1, 8_192, 7, 256], random]
        for blocks in splits {
          let split = try rendered(rate: rate, input, blocks: blocks)
          for channel in 0..<channels {
            XCTAssertEqual(
              Signals.bits(split[channel]), Signals.bits(whole[channel]),
              "rate \(rate), channel \(channel) of \(channels), blocks \(blocks)")
          }
        }
        let interleaved = try rendered(rate: rate, input, blocks: [100, 3, 512], interleaved: true)
        for channel in 0..<channels {
          XCTAssertEqual(Signals.bits(interleaved[channel]), Signals.bits(whole[channel]))
        }
      }
    }
  }

  /// Renders `input`. Applies each change of settings at its frame.
  ///
  /// - Parameter isSplit: If true, the blocks have random lengths up to a random maximum. If false,
  ///   there is one block between two changes.
  private func rendered(
    _ random: RandomProcessing, _ changes: [(frame: Int, settings: ProcessorSettings)],
    _ input: [[Float]], isSplit: Bool
  ) throws -> [[Float]] {
    var generator = random.generator
    let processor = try random.processor()
    var result = input.map { _ in [Float]() }
    let ends = changes.dropFirst().map(\.frame) + [input[0].count]
    for (change, end) in zip(changes, ends) {
      try processor.apply(change.settings)
      let part = input.map { Array($0[change.frame..<end]) }
      guard end > change.frame else { continue }
      let longest = [1, 7, 40, 300].randomElement(using: &generator) ?? 1
      let blocks =
        isSplit
        ? (0..<40).map { _ in Int.random(in: 1...longest, using: &generator) }
        : [end - change.frame]
      let output = processor.rendered(part, blocks: blocks)
      for channel in input.indices { result[channel] += output[channel] }
    }
    return result
  }

  /// During fades, gain transitions and limiter recovery, the settings change, and processing is
  /// switched on and off.
  func test_process_randomSettingsTogglesAndSplits_isBitIdentical() throws {
    // With the first seed, new settings link the limiters of the channels while one limiter
    // recovers.
    let linking: [UInt64] = [6_769_886_764_138_425_914]
    for seed in linking + RandomProcessing.seeds(count: Signals.isSanitized ? 2 : 300) {
      var random = try RandomProcessing(seed: seed)
      let count = 1_536
      let input = random.input(count)
      var changes = [(frame: 0, settings: try random.settings())]
      for _ in 0..<Int.random(in: 1...5, using: &random.generator) {
        var (frame, settings) = changes[changes.count - 1]
        frame += Int.random(in: 0...500, using: &random.generator)
        guard frame < count else { break }
        switch Int.random(in: 0..<3, using: &random.generator) {
        case 0: settings = try random.settings()
        case 1: settings.intensity = .random(in: 0...1, using: &random.generator)
        default: settings.isEnabled.toggle()
        }
        changes.append((frame, settings))
      }
      let whole = try rendered(random, changes, input, isSplit: false)
      let split = try rendered(random, changes, input, isSplit: true)
      for channel in input.indices
      where Signals.bits(whole[channel]) != Signals.bits(split[channel]) {
        let frame = zip(whole[channel], split[channel]).enumerated().first {
          $0.element.0.bitPattern != $0.element.1.bitPattern
        }
        return XCTFail("seed \(seed), channel \(channel), frame \(frame?.offset ?? -1)")
      }
    }
  }

  /// The filters still ring from a sound at −200 dB while samples of −320 dB follow. The processor
  /// replaces digital silence with a tone. This tone also has a level of −320 dB.
  func test_process_samplesAtTheDenormalGuardLevel_anySplitIsBitIdentical() throws {
    let outputs = try [[1], [3], [64], [8_192]].map { blocks in
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
      try processor.apply(ProcessorSettings(gains: [[30] + leftGains.dropFirst()]))
      let input = (0..<2_000).map { $0 < 256 ? 1e-10 : $0 % 2 == 0 ? 1e-16 : -1e-16 as Float }
      return processor.rendered([input], blocks: blocks)[0]
    }
    XCTAssertNotEqual(outputs[3][511], 0)
    for output in outputs { XCTAssertEqual(Signals.bits(output), Signals.bits(outputs[3])) }
  }

  func test_process_zeroFrames_changesNothing() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    try processor.apply(ProcessorSettings(gains: [leftGains]))
    var sample: Float = 0.5
    processor.processInterleaved(&sample, frameCount: 0)
    XCTAssertEqual(sample, 0.5)
    XCTAssertEqual(processor.settingsInForce, 0)
  }

  func test_process_channels_areIndependentAndNotSwapped() throws {
    var generator = SeededGenerator(seed: 21)
    let count = 6_000
    for channels in [2, 3, 5, 8] {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: 48_000, channelCount: channels),
        limiter: LimiterConfiguration(isLinked: false))
      let gains = (0..<channels).map { _ in
        Signals.hearingLikeGains(centers: processor.layout.centers, using: &generator)
      }
      try processor.apply(ProcessorSettings(gains: gains))
      let input = (0..<channels).map { _ in
        Signals.noise(count: count, amplitude: 0.01, using: &generator)
      }
      let together = processor.rendered(input, blocks: [100])
      for channel in 0..<channels {
        let alone = try BandGainProcessor(
          spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
        try alone.apply(ProcessorSettings(gains: [gains[channel]]))
        XCTAssertEqual(
          Signals.bits(alone.rendered([input[channel]])[0]), Signals.bits(together[channel]))
      }
      // If only one channel has a signal, all other channels stay silent.
      for channel in 0..<channels {
        processor.reset()
        var single = Array(repeating: Signals.silence(count), count: channels)
        single[channel] = input[channel]
        let output = processor.rendered(single)
        for other in 0..<channels where other != channel {
          XCTAssertEqual(Signals.peak(output[other]), 0)
        }
      }
    }
  }

  func test_process_centersThatControlAndRenderRoundDifferently_anySplitIsBitIdentical() throws {
    // For these centre frequencies, the control thread and the render thread round tan²(π f / rate)
    // differently.
    let centers = [200, 260, 350, 450, 600, 800, 1_050, 1_324, 1_750, 2_207, 3_000, 4_100.0]
    var generator = SeededGenerator(seed: 41)
    let input = [Signals.noise(count: 4_000, amplitude: 0.02, using: &generator)]
    let outputs = try [[1], [2, 1], [8_192]].map { blocks in
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1),
        layout: BandLayout(centers: centers))
      try processor.apply(ProcessorSettings(gains: [centers.map { _ in 3 }]))
      let first = processor.rendered([Array(input[0][..<500])], blocks: blocks)[0]
      try processor.apply(
        ProcessorSettings(gains: [centers.indices.map { $0 % 2 == 0 ? 12 : 20 }]))
      return first + processor.rendered([Array(input[0][500...])], blocks: blocks)[0]
    }
    for output in outputs { XCTAssertEqual(Signals.bits(output), Signals.bits(outputs[2])) }
  }
}
