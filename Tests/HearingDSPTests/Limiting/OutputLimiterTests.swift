import XCTest

@testable import HearingDSP

final class OutputLimiterTests: XCTestCase {
  private func limited(_ samples: [Float], _ limiter: inout OutputLimiter, ceiling: Float)
    -> [Float]
  {
    var samples = samples
    samples.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress {
        OutputLimiter.process(&limiter, base, count: buffer.count, ceiling: ceiling)
      }
    }
    return samples
  }

  func test_process_loudThenSoft_holdsFiveMillisecondsThenRecoversWithSixty() {
    var limiter = OutputLimiter(sampleRate: 48_000)
    XCTAssertEqual(limited([4], &limiter, ceiling: 1), [1])
    XCTAssertEqual(limiter.gain, 0.25, accuracy: 1e-6)
    let soft = Array(repeating: Float(0.5), count: 48_000)
    let output = limited(soft, &limiter, ceiling: 1)
    for index in 0..<240 { XCTAssertEqual(output[index], 0.125, accuracy: 1e-6) }
    // One time constant later 1/e of the reduction is left, two later 1/e² of it.
    XCTAssertEqual(output[240 + 2_880] / 0.5, 1 - 0.75 * 0.3679, accuracy: 0.001)
    XCTAssertEqual(output[240 + 2 * 2_880] / 0.5, 1 - 0.75 * 0.1353, accuracy: 0.001)
    for (before, after) in zip(output, output.dropFirst()) {
      XCTAssertGreaterThanOrEqual(after, before)
      XCTAssertLessThan(after - before, 0.5 * 0.75 / 2_800)
    }
    XCTAssertEqual(output.last, 0.5)
    XCTAssertEqual(limiter.gain, 1)
  }

  func test_isNeeded_onlyAboveTheCeilingOrWhileRecovering() {
    var limiter = OutputLimiter(sampleRate: 48_000)
    XCTAssertFalse(limiter.isNeeded(peak: 1, ceiling: 1))
    XCTAssertTrue(limiter.isNeeded(peak: 1.0001, ceiling: 1))
    _ = limited([2], &limiter, ceiling: 1)
    XCTAssertTrue(limiter.isNeeded(peak: 0, ceiling: 1))
    limiter.recover()
    XCTAssertFalse(limiter.isNeeded(peak: 1, ceiling: 1))
  }

  func test_process_counts_whatItLowers() {
    var limiter = OutputLimiter(sampleRate: 48_000)
    _ = limited([0.5, 2, 0.5], &limiter, ceiling: 1)
    XCTAssertEqual(limiter.limitedFrames, 2)
    XCTAssertEqual(limiter.smallestGain, 0.5)
    limiter.reset()
    XCTAssertEqual(limiter.limitedFrames, 0)
    XCTAssertEqual(limiter.smallestGain, 1)
  }
}
