import TestSupport
import XCTest

@testable import HearingDSP

final class LanesLogarithmTests: XCTestCase {
  func test_binaryLogarithm_isExactToSinglePrecision() {
    var generator = SeededGenerator(seed: 44)
    for _ in 0..<20_000 {
      let value = Float(pow(10, Double.random(in: -30...30, using: &generator)))
      let near = Float.random(in: 0.5...2, using: &generator)
      let read = Lanes(value, near, 1, 2).binaryLogarithm
      XCTAssertEqual(Double(read[0]), log2(Double(value)), accuracy: 1e-5)
      XCTAssertEqual(Double(read[1]), log2(Double(near)), accuracy: 3e-7)
      XCTAssertEqual(read[2], 0)
      XCTAssertEqual(read[3], 1)
    }
  }
}
