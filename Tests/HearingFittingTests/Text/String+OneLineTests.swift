import XCTest

@testable import HearingFitting

final class StringOneLineTests: XCTestCase {
  func test_inQuotationMarks_ofHostileText_isOneShortLine() {
    let text = "a\nb\r\u{2028}c\u{0}\u{1B}[31m\u{202E}" + String(repeating: "x", count: 1000)
    let quoted = text.inQuotationMarks
    XCTAssertLessThan(quoted.count, 70)
    for scalar in quoted.unicodeScalars {
      XCTAssertFalse(scalar.properties.isWhitespace && scalar != " ", "\(scalar.value)")
      XCTAssertGreaterThan(scalar.value, 31)
    }
  }

  func test_singleLine_ofOneVeryLongCharacter_isTruncated() {
    let text = "e" + String(repeating: "\u{301}", count: 100_000)
    XCTAssertLessThan(text.singleLine(limit: 60).unicodeScalars.count, 62)
  }
}
