import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

final class LookAheadEnvelopeTests: XCTestCase {
  private let rate = 48_000.0

  /// The gain for each element of `ratios`. Each element is the magnitude of a sample, divided by
  /// the ceiling. The gain is computed when its sample enters the delay line. The sample leaves the
  /// delay line `latency` frames later.
  private func gains(
    _ ratios: [Float], latency: Int, blocks: [Int] = [256]
  ) -> [Float] {
    var envelope = LookAheadEnvelope(latency: latency, sampleRate: rate)
    var result = ratios
    result.withUnsafeMutableBufferPointer { buffer in
      let base = buffer.row
      var done = 0
      var turn = 0
      while done < buffer.count {
        let count = min(blocks[turn % blocks.count], buffer.count - done)
        turn += 1
        let isLoud = ratios[done..<done + count].contains { $0 > 1 }
        let isActive = envelope.follow(
          base.from(done), count: count, isLoud: isLoud)
        if !isActive { for index in done..<done + count { base[index] = 1 } }
        done += count
      }
    }
    return result
  }

  func test_follow_anySignal_keepsDelayedPeaksAtOrBelowTheCeiling() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for latency in [1, 2, 17, 96, 480] {
      let ratios = (0..<20_000).map { index -> Float in
        let loudness = index / 2_000 % 2 == 0 ? 0.8 : 4.0
        let isPeak = Int.random(in: 0..<300, using: &generator) == 0
        return Float.random(in: 0...1, using: &generator) * Float(isPeak ? 1_000 : loudness)
      }
      let gains = gains(ratios, latency: latency)
      for index in latency..<ratios.count {
        XCTAssertLessThanOrEqual(ratios[index - latency] * gains[index], 1)
        XCTAssertGreaterThanOrEqual(gains[index], 0)
      }
    }
  }

  /// The hold time is 480 frames at 48 kHz. It begins when the peak leaves the delay line.
  func test_follow_onePeak_holdsTheMinimumGainForExactlyTheHoldTime() {
    let latency = 96
    var ratios = [Float](repeating: 0.1, count: 4_000)
    ratios[1_000] = 4
    let gains = gains(ratios, latency: latency)
    let minimum = gains[1_000 + latency]
    XCTAssertEqual(minimum, 0.25, accuracy: 1e-5)
    for index in 1_000 + latency...1_000 + latency + 480 { XCTAssertEqual(gains[index], minimum) }
    XCTAssertGreaterThan(gains[1_000 + latency + 481], minimum)
  }

  func test_follow_onePeak_lowersTheGainSmoothly_andRestoresItAfterTheHoldTime() {
    let latency = 96
    var ratios = [Float](repeating: 0.1, count: 50_000)
    ratios[1_000] = 4
    let gains = gains(ratios, latency: latency)
    XCTAssertEqual(gains[999], 1)
    // After half of the look-ahead time, the gain reduction is half of its maximum. The gain never
    // jumps.
    XCTAssertEqual(gains[1_000 + latency / 2], 1 - 0.75 / 2, accuracy: 0.01)
    for index in 1_000...1_000 + latency {
      XCTAssertLessThan(gains[index - 1] - gains[index], 0.75 * 2.2 / Float(latency))
    }
    for index in 1_000 + latency...1_000 + latency + 480 {
      XCTAssertEqual(gains[index], 0.25, accuracy: 2e-6)
    }
    // This frame is one release time constant after the end of the hold time. In addition, a moving
    // average delays the gain by half of the look-ahead time.
    let released = 1_000 + latency + 480 + latency / 2 + 2_880
    XCTAssertEqual(gains[released], 1 - 0.75 * 0.3679, accuracy: 0.01)
    XCTAssertEqual(gains.last, 1)
  }

  func test_follow_anySplitOfTheInput_isBitIdentical() {
    var generator = SeededGenerator(seed: 2)
    let ratios = (0..<30_000).map { index in
      Float.random(in: 0...1, using: &generator) * (index / 3_000 % 3 == 1 ? 3 : 0.9)
    }
    let whole = gains(ratios, latency: 100, blocks: [30_000])
    for blocks in [[1], [7, 300], [64]] {
      XCTAssertEqual(
        Signals.bits(gains(ratios, latency: 100, blocks: blocks)), Signals.bits(whole))
    }
  }
}
