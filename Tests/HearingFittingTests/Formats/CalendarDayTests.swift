import XCTest

@testable import HearingFitting

final class CalendarDayTests: XCTestCase {
  func test_init_readsDaysThatThereAre() throws {
    let day = try XCTUnwrap(CalendarDay("2024-02-29"))
    XCTAssertEqual("\(day)", "2024-02-29")
    XCTAssertEqual(CalendarDay("\(day)"), day)
    for text in ["", "2024-2-29", "2023-02-29", "2024-02-29T", "20240229", "٢٠٢٤-٠٢-٢٩", "today"] {
      XCTAssertNil(CalendarDay(text), text)
    }
    XCTAssertEqual(CalendarDay(startOf: "2024-02-29 23:00:00 -0800"), day)
  }

  func test_order_isThatOfTheCalendar() throws {
    let days = try ["0999-12-31", "2024-02-28", "2024-02-29", "2024-11-01"].map {
      try XCTUnwrap(CalendarDay($0))
    }
    XCTAssertEqual(days.shuffled().sorted(), days)
  }
}
