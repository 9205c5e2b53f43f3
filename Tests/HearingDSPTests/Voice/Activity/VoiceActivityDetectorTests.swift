import HearingDSP
import TestSupport
import XCTest

final class VoiceActivityDetectorTests: XCTestCase {
  private static let rates: [Double] = [
    8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
  ]

  private typealias Decision = VoiceActivityDetector.Decision

  /// Decisions on `samples`, heard in blocks of the sizes given, over and over.
  private func decisions(
    on samples: [Float], rate: Double, blocks: [Int] = [480]
  ) throws -> [Decision] {
    var detector = try VoiceActivityDetector(sampleRate: rate)
    var result: [Decision] = []
    samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var done = 0
      var turn = 0
      while done < samples.count {
        let count = min(blocks[turn % blocks.count], samples.count - done)
        detector.process(base + done, frameCount: count) { result.append($0) }
        done += count
        turn += 1
      }
    }
    return result
  }

  func test_init_rateOutOfRange_fails() {
    for rate in [0, 7_999, 48_001, .nan, .infinity, -8_000] {
      XCTAssertThrowsError(try { _ = try VoiceActivityDetector(sampleRate: rate) }()) { error in
        guard case VoiceActivityDetector.Failure.sampleRateOutOfRange = error else {
          return XCTFail("\(error)")
        }
      }
    }
  }

  func test_process_anyRate_decidesAtExactPlaces() throws {
    for rate in Self.rates + [12_345.678] {
      let seconds = Signals.isUnoptimized ? 2 : 60
      let samples = Signals.silence(Int(rate) * seconds)
      let frames = try decisions(on: samples, rate: rate).map(\.frame)
      let expected = (1...).lazy.map { Int64((Double($0) * rate / 100).rounded(.up)) }
      XCTAssertEqual(frames, Array(expected.prefix(frames.count)), "\(rate) Hz")
      XCTAssertGreaterThanOrEqual(
        frames.count, Int(Double(samples.count) / rate * 100), "\(rate) Hz")
    }
  }

  func test_process_anyBlocks_decidesTheSame() throws {
    var generator = SeededGenerator(seed: 71)
    for rate in Self.rates {
      let samples = Signals.bursts(count: Int(rate * 0.6), rate: rate, using: &generator)
      let whole = try decisions(on: samples, rate: rate, blocks: [samples.count])
      XCTAssertFalse(whole.isEmpty)
      for blocks in [[1], [7, 0, 64, 1, 500], [160], [8_192]] {
        XCTAssertEqual(try decisions(on: samples, rate: rate, blocks: blocks), whole)
      }
    }
  }
}
