import XCTest

@testable import HearingFitting

final class DoubleLimitsTests: XCTestCase {
  func test_plain_writesWholeNumbersWithoutFraction() {
    XCTAssertEqual(250.0.plain, "250")
    XCTAssertEqual((-22.5).plain, "-22.5")
    XCTAssertEqual((1.0 / 3).plain, "0.333333")
  }

  func test_plain_extremeNumbers_haveFewerThan30Characters() {
    for value in [1e308, -1e308, 1e-300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude] {
      XCTAssertLessThan(value.plain.count, 30)
    }
  }

  func test_roundedToMillionth_removesRoundingErrorsAndNegativeZero() {
    XCTAssertEqual((0.1 + 0.2).roundedToMillionth, 0.3)
    XCTAssertEqual((-1e-9).roundedToMillionth.sign, .plus)
  }
}
