import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

/// Tests audio streams that have been running for a very long time.
final class BandGainProcessorPositionTests: XCTestCase {
  /// Renders two seconds of noise, starting at frame `start`. The settings contain compression,
  /// gain changes and a fade, and the processor rejects some samples.
  ///
  /// - Returns: The samples, and the frames of the rejection events relative to `start`.
  private func rendered(from start: Int64) throws -> (samples: [Signals.Bits], events: [Int64]) {
    var generator = SeededGenerator(seed: 29)
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    processor.renderer.position = start
    var samples: [[Float]] = [[], []]
    for round in 0..<8 {
      let curve = try Curves.compressing(ratio: 2, gainAt65: Double(10 + 3 * round))
      var settings = ProcessorSettings(
        gains: Array(repeating: Array(repeating: Double(round), count: 10), count: 2),
        isEnabled: round != 5)
      if round % 4 < 2 {
        settings.curves = Array(repeating: Array(repeating: curve, count: 10), count: 2)
      }
      try processor.apply(settings)
      var input = (0..<2).map { _ in Signals.noise(count: 12_000, using: &generator) }
      if round == 3 { input[0].replaceSubrange(0..<6_000, with: repeatElement(.nan, count: 6_000)) }
      if round == 3 { input[1].replaceSubrange(0..<6_000, with: repeatElement(1e9, count: 6_000)) }
      let output = processor.rendered(input, blocks: [64, 1, 500, 37])
      for channel in 0..<2 { samples[channel] += output[channel] }
    }
    XCTAssertEqual(processor.renderer.position, start &+ 96_000)
    return (samples.map(Signals.bits), processor.events.drain().map { $0.frame &- start })
  }

  /// The first stream starts at frame 2³¹ − 1000. Its frame numbers exceed the range of a 32-bit
  /// integer before it ends. The second stream starts at frame 2⁶³ − 10⁶, near the limit of a
  /// 64-bit integer. Each is compared with a stream that starts near frame 0, at the same offset
  /// within a chunk.
  func test_process_lateInAVeryLongStream_rendersTheSameBits() throws {
    for start in [Int64(1) << 31 - 1_000, Int64.max - 999_999] {
      let reference = try rendered(from: start & 1_023)
      let late = try rendered(from: start)
      XCTAssertEqual(late.samples, reference.samples, "from frame \(start)")
      XCTAssertEqual(late.events, reference.events, "from frame \(start)")
      XCTAssertEqual(late.events.count, 1)
    }
  }
}
