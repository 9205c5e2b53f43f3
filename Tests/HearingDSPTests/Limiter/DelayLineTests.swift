import HearingBuffers
import SignalTestSupport
import XCTest

@testable import HearingDSP

final class DelayLineTests: XCTestCase {
  private func delayed(_ samples: [Float], by length: Int, blocks: [Int]) -> [Float] {
    var delay = DelayLine(length: length)
    var result = samples
    var done = 0
    var turn = 0
    result.withUnsafeMutableBufferPointer { buffer in
      let base = buffer.row
      while done < samples.count {
        let count = min(blocks[turn % blocks.count], samples.count - done)
        turn += 1
        delay.exchange(base.from(done), count: count)
        done += count
      }
    }
    return result
  }

  func test_exchange_anyBlockSizes_delaysSamplesWithoutChangingThem() {
    var samples = (0..<500).map { Float($0) }
    samples[100] = .nan
    samples[200] = -.infinity
    for length in [0, 1, 7, 256, 480] {
      for blocks in [[500], [1], [3, 200]] {
        let output = delayed(samples, by: length, blocks: blocks)
        let expected = Array(repeating: Float(0), count: length) + samples.dropLast(length)
        XCTAssertEqual(Signals.bits(output), Signals.bits(expected), "\(length), \(blocks)")
      }
    }
  }

  func test_clear_removesTheDelayedSamples() {
    var delay = DelayLine(length: 2)
    let samples = OwnedRow<Float>(count: 3) { Float($0 + 1) }
    delay.exchange(samples.row, count: 3)
    XCTAssertEqual((0..<3).map { samples[$0] }, [0, 0, 1])
    delay.clear()
    delay.exchange(samples.row, count: 3)
    XCTAssertEqual((0..<3).map { samples[$0] }, [0, 0, 0])
  }
}
