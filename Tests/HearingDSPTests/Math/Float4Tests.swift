import TestSupport
import XCTest

@testable import HearingDSP

final class Float4Tests: XCTestCase {
  func test_powerOfTwo_isExactForIntegersAndCloseElsewhere() {
    for exponent in -100...100 {
      let result = Float4(repeating: Float(exponent)).powerOfTwo
      XCTAssertEqual(result[2], Float(sign: .plus, exponent: exponent, significand: 1))
    }
    var worst = 0.0
    for step in -20_000...20_000 {
      let exponent = Float(step) / 1_000
      let exact = exp2(Double(exponent))
      worst = max(worst, abs(Double(Float4(repeating: exponent).powerOfTwo[0]) / exact - 1))
    }
    print("2^x: off by \(worst) at most")
    XCTAssertLessThan(worst, 5e-7)
  }

  func test_binaryLogarithm_isAccurateToSinglePrecision() {
    var generator = SeededGenerator(seed: 44)
    for _ in 0..<20_000 {
      let value = Float(pow(10, Double.random(in: -30...30, using: &generator)))
      let near = Float.random(in: 0.5...2, using: &generator)
      let read = Float4(value, near, 1, 2).binaryLogarithm
      XCTAssertEqual(Double(read[0]), log2(Double(value)), accuracy: 1e-5)
      XCTAssertEqual(Double(read[1]), log2(Double(near)), accuracy: 3e-7)
      XCTAssertEqual(read[2], 0)
      XCTAssertEqual(read[3], 1)
    }
  }
}
