import ExampleSupport
import Foundation
import XCTest

final class CalendarDayTests: XCTestCase {
  func test_days_areReadAndWritten() {
    for text in ["2025-03-14", "2024-02-29", "0001-01-01", "9999-12-31"] {
      XCTAssertEqual(CalendarDay(text)?.description, text)
    }
    for text in [
      "", "2025-3-14", "2025-02-29", "2100-02-29", "2025-13-01", "2025-00-10", "2025-01-32",
      "2025-01-00", "0000-01-01", "+025-01-01", "2025/01/01", "2025-01-01T00:00", "２025-01-01",
    ] {
      XCTAssertNil(CalendarDay(text), text)
    }
  }

  func test_dayOfAMoment_isThatOfUTC() {
    XCTAssertEqual(
      CalendarDay(Date(timeIntervalSince1970: 1_741_996_799)), CalendarDay("2025-03-14"))
    XCTAssertEqual(
      CalendarDay(Date(timeIntervalSince1970: 1_741_996_800)), CalendarDay("2025-03-15"))
  }
}
