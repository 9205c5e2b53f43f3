import Foundation
@testable import HearingReport
import XCTest

final class DoubleWrittenTests: XCTestCase {
  func test_coordinate_hasNoTrailingZerosNoExponentAndNoNegativeZero() {
    XCTAssertEqual(12.0.coordinate(), "12")
    XCTAssertEqual(12.340.coordinate(), "12.34")
    XCTAssertEqual(0.05.coordinate(), "0.05")
    XCTAssertEqual((-7.5).coordinate(), "-7.5")
    XCTAssertEqual((-0.001).coordinate(), "0")
    XCTAssertEqual(1e-9.coordinate(), "0")
    XCTAssertEqual(0.999.coordinate(), "1")
  }

  func test_readable_writesATrueMinusSign() {
    XCTAssertEqual((-10.0).readable(), "−10")
    XCTAssertEqual(22.5.readable(), "22.5")
    XCTAssertEqual(20_000.0.readable(), "20000")
  }

  func test_tabular_alwaysHasTheSameNumberOfDecimals() {
    XCTAssertEqual(4.0.tabular(), "4.0")
    XCTAssertEqual(4.26.tabular(), "4.3")
    XCTAssertEqual(0.0.tabular(), "0.0")
  }

  func test_readable_extremeNumbers_areFormattedWithoutTrapping() {
    for number in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e300] {
      XCTAssertFalse(number.readable().isEmpty)
    }
  }
}

final class DateDayTests: XCTestCase {
  func test_englishDay_isInUTC() {
    let almostMidnight = Date(timeIntervalSince1970: 1_741_996_799)
    XCTAssertEqual(almostMidnight.englishDay, "14 March 2025")
    XCTAssertEqual(almostMidnight.addingTimeInterval(1).englishDay, "15 March 2025")
    XCTAssertEqual(Date(timeIntervalSince1970: 951_782_400).englishDay, "29 February 2000")
    XCTAssertEqual(Date(timeIntervalSince1970: -1).englishDay, "31 December 1969")
  }
}
