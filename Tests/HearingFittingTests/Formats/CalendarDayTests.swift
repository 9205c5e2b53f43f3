import Foundation
@testable import HearingFitting
import XCTest

final class CalendarDayTests: XCTestCase {
  func test_init_parsesExistingDays_andRejectsOtherText() throws {
    let day = try XCTUnwrap(CalendarDay("2024-02-29"))
    XCTAssertEqual("\(day)", "2024-02-29")
    XCTAssertEqual(CalendarDay("\(day)"), day)
    for text in ["", "2024-2-29", "2023-02-29", "2024-02-29T", "20240229", "٢٠٢٤-٠٢-٢٩", "today"] {
      XCTAssertNil(CalendarDay(text), text)
    }
    XCTAssertEqual(MeasurementTime("2024-02-29 23:00:00 -0800")?.day, day)
  }

  func test_days_areSortedChronologically() throws {
    let days = try ["1583-12-31", "2024-02-28", "2024-02-29", "2024-11-01"].map {
      try XCTUnwrap(CalendarDay($0))
    }
    XCTAssertEqual(days.shuffled().sorted(), days)
  }
}

final class MeasurementTimeTests: XCTestCase {
  func test_init_keepsTheStatedDay_inAnyTimeZone() throws {
    for (text, seconds, day) in [
      ("2024-01-02 23:04:05 -0800", 1_704_265_445.0, "2024-01-02"),
      ("2024-01-02T03:04:05+02:00", 1_704_157_445, "2024-01-02"),
      ("2024-01-02T03:04:05.250Z", 1_704_164_645.25, "2024-01-02"),
      ("2024-01-02", 1_704_153_600, "2024-01-02"), ("2024-02", 1_706_745_600, "2024-02-01"),
      ("2024", 1_704_067_200, "2024-01-01"),
    ] {
      let time = try XCTUnwrap(MeasurementTime(text), text)
      XCTAssertEqual(time.date, Date(timeIntervalSince1970: seconds), text)
      XCTAssertEqual(time.day.description, day, text)
    }
  }

  func test_init_rejectsInvalidOrIncompleteTimes() {
    for text in [
      "", "soon", "24", "2024-13", "2024-01-02 3:04:05 PM +0000", "2024-01-02T03:04:05",
      "1583-01-01T00:00:00+23:00", String(repeating: "2", count: 100),
    ] { XCTAssertNil(MeasurementTime(text), text) }
  }
}
