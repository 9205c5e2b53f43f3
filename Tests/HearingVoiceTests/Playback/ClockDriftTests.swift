import TestSupport
import XCTest

@testable import HearingVoice

final class ClockDriftTests: XCTestCase {
  /// Simulates `seconds` seconds of blocks of 10 ms. Each block is late by a random time of up to
  /// 30 ms.
  private func drift(ppm: Double, seconds: Int) -> ClockDrift {
    let rate = 16_000.0
    var generator = SeededGenerator(seed: 101)
    var drift = ClockDrift(sampleRate: rate)
    for block in 1...seconds * 100 {
      let captured = block * 160
      let late = Double.random(in: 0...0.03, using: &generator) * rate
      let written = Int(Double(captured) * (1 + ppm * 1e-6) + late) / 512 * 512
      _ = drift.add(count: 160, difference: Int64(written - captured), lead: late)
    }
    return drift
  }

  func test_slope_withLateBlocks_isWithin15PPMOfTheDrift() {
    for ppm in [-300.0, -40, 0, 100, 300] {
      let slope = drift(ppm: ppm, seconds: 120).slope * 1e6
      print("\(ppm) ppm measured as \(slope)")
      XCTAssertEqual(slope, ppm, accuracy: 15)
    }
  }

  /// The block lengths of the two threads have no common factor. Therefore the minimum difference
  /// between their frame counts varies by up to one block.
  func test_slope_withBlocksOfDifferentLengths_andEqualClocks_staysNearZero() {
    for (captured, rendered) in [(441, 1_024), (1_024, 441), (512, 441)] {
      var drift = ClockDrift(sampleRate: 16_000)
      var largest = 0.0
      for end in stride(from: captured, to: 16_000 * 60, by: captured) {
        let written = (end + rendered - 1) / rendered * rendered
        _ = drift.add(count: captured, difference: Int64(written - end), lead: 0)
        largest = max(largest, abs(drift.slope * 1e6))
      }
      print("blocks of \(captured) and \(rendered) samples: at most \(largest) ppm")
      XCTAssertLessThan(largest, 50)
    }
  }

  func test_slope_beforeFourSeconds_isZero() {
    XCTAssertEqual(drift(ppm: 300, seconds: 3).slope, 0)
  }
}
