import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class BandFloorsTests: XCTestCase {
  /// The noise floor of the first band, after each level in `levels` was added.
  private func floors(after levels: [Float]) -> [Float] {
    var floors = BandFloors()
    let frame = OwnedRow<Float>.filled(0, count: 16)
    var result: [Float] = []
    for level in levels {
      for band in 0..<16 { frame[band] = level }
      floors.add(frame.row)
      result.append(floors.floors[0])
    }
    return result
  }

  func test_add_burstsOverNoise_keepsTheFloorAtTheNoise() {
    let levels = (0..<600).map { Float($0 % 60 < 40 ? -10 : -20) }
    XCTAssertEqual(floors(after: levels)[599], -20, accuracy: 0.1)
  }

  func test_add_fallingNoise_lowersTheFloorWithin300Milliseconds() {
    let levels = (0..<300).map { Float($0 < 200 ? -10 : -20) }
    XCTAssertEqual(floors(after: levels)[230], -20, accuracy: 0.1)
  }

  func test_add_risingNoise_raisesTheFloorAfterAboutTwoSeconds() {
    let levels = (0..<600).map { Float($0 < 200 ? -20 : -10) }
    let result = floors(after: levels)
    XCTAssertEqual(result[350], -20, accuracy: 0.1)
    XCTAssertEqual(result[450], -10, accuracy: 0.1)
  }
}
