import Foundation
import XCTest

@testable import HearingFitting

final class ISO8601TextTests: XCTestCase {
  func test_seconds_parsesKnownTimes() {
    let known: [(String, Double)] = [
      ("1970-01-01T00:00:00Z", 0), ("2025-03-14T09:26:53Z", 1_741_944_413),
      ("2025-03-14T09:26:53.589Z", 1_741_944_413.589), ("2025-03-14T09:26Z", 1_741_944_360),
      ("2025-03-14T11:26:53+02:00", 1_741_944_413), ("2025-03-14T02:26:53-0700", 1_741_944_413),
      ("2025-03-14", 1_741_910_400), ("2024-02-29", 1_709_164_800), ("1969-12-31T23:59:59Z", -1),
      ("2025-03-14T09:26:53.9999999Z", 1_741_944_414),
    ]
    for (text, seconds) in known { XCTAssertEqual(ISO8601Text.seconds(from: text), seconds, text) }
  }

  func test_seconds_rejectsInvalidTimes() {
    for text in [
      "", "2025", "2025-3-14", "2025-02-29", "2025-13-01", "2025-00-10", "2025-01-32", "0000-01-01",
      "2025-03-14T24:00:00Z", "2025-03-14T09:60:00Z", "2025-03-14T09:26:61Z", "2025-03-14T09:26:53",
      "2025-03-14T09:26:53.Z", "2025-03-14T09:26:53Zx", "2025-03-14T09:26:53Z0100",
      "2025-03-14T09:26.5Z", "2025-03-14T09:26:53.1e1Z", "2025-03-14T09:26:53+25:00", "1582-12-31",
      "2025-03-14 09:26:53Z", "99999-01-01",
      "٢٠٢٥-٠٣-١٤", "-025-03-14", "2025-03-14T+9:26:53Z",
      "2025-03-14T09:26:53." + String(repeating: "9", count: 100) + "Z",
    ] { XCTAssertNil(ISO8601Text.seconds(from: text), text) }
  }

  func test_text_roundTrip_keepsTheMillisecond() {
    var generator = SeededGeneratorSeed.fresh(#function).generator
    for _ in 0..<20_000 {
      let milliseconds = Int.random(
        in: -12_212_553_600_000...253_402_300_799_999, using: &generator)
      let seconds = Double(milliseconds) / 1000
      let text = ISO8601Text.text(forSeconds: seconds)
      XCTAssertEqual(ISO8601Text.seconds(from: text), seconds, text)
    }
    XCTAssertEqual(ISO8601Text.text(forSeconds: -12_212_553_600), "1583-01-01T00:00:00Z")
    XCTAssertEqual(ISO8601Text.text(forSeconds: 253_402_300_799.999), "9999-12-31T23:59:59.999Z")
  }

  func test_text_agreesWithFoundationInModernYears() {
    var generator = SeededGeneratorSeed.fresh(#function).generator
    for _ in 0..<2000 {
      let seconds = Double(Int.random(in: -10_000_000_000...10_000_000_000, using: &generator))
      XCTAssertEqual(
        ISO8601Text.text(forSeconds: seconds),
        Date(timeIntervalSince1970: seconds).formatted(.iso8601))
    }
  }
}
