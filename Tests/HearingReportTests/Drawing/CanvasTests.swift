@testable import HearingReport
import XCTest

final class CanvasTests: XCTestCase {
  func test_boldText_isTruncatedOnlyIfItIsTooWide() {
    XCTAssertEqual(TextExtent.fittingBold("short", into: 100, size: 10), "short")
    let cut = TextExtent.fittingBold(String(repeating: "x", count: 50), into: 72, size: 10)
    XCTAssertEqual(cut, String(repeating: "x", count: 9) + "…")
    XCTAssertEqual(TextExtent.fittingBold("long enough", into: 0, size: 10), "…")
  }

  func test_textLines_breakBetweenWordsOnly() {
    XCTAssertEqual(TextExtent.lines(of: "a short text", width: 1000, size: 10), ["a short text"])
    XCTAssertEqual(TextExtent.lines(of: "a short text", width: 45, size: 10), ["a short", "text"])
    XCTAssertEqual(TextExtent.lines(of: "extraordinary", width: 10, size: 10), ["extraordinary"])
  }
}
