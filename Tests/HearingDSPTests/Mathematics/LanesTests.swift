import XCTest

@testable import HearingDSP

final class LanesTests: XCTestCase {
  func test_powerOfTwo_isExactForIntegersAndCloseElsewhere() {
    for exponent in -100...100 {
      let result = Lanes(repeating: Float(exponent)).powerOfTwo
      XCTAssertEqual(result[2], Float(sign: .plus, exponent: exponent, significand: 1))
    }
    var worst = 0.0
    for step in -20_000...20_000 {
      let exponent = Float(step) / 1_000
      let exact = exp2(Double(exponent))
      worst = max(worst, abs(Double(Lanes(repeating: exponent).powerOfTwo[0]) / exact - 1))
    }
    print("2^x: off by \(worst) at most")
    XCTAssertLessThan(worst, 5e-7)
  }
}
