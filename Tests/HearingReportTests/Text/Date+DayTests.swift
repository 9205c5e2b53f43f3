import Foundation
import XCTest

@testable import HearingReport

final class DateDayTests: XCTestCase {
  func test_day_isThatOfUTC() {
    let almostMidnight = Date(timeIntervalSince1970: 1_741_996_799)
    XCTAssertEqual(almostMidnight.englishDay, "14 March 2025")
    XCTAssertEqual(almostMidnight.addingTimeInterval(1).englishDay, "15 March 2025")
    XCTAssertEqual(Date(timeIntervalSince1970: 951_782_400).englishDay, "29 February 2000")
    XCTAssertEqual(Date(timeIntervalSince1970: -1).englishDay, "31 December 1969")
  }
}
