import XCTest

@testable import HearingFitting

final class NumberTextTests: XCTestCase {
  func test_value_readsWhatPeopleWrite() {
    let known: [(String, Double)] = [
      ("35", 35), (" 35 ", 35), ("-2.5", -2.5), ("+3", 3), ("\u{2212}5", -5), ("1e3", 1000),
      ("1E-1", 0.1), (".5", 0.5), ("0", 0), ("\u{A0}7\t", 7),
    ]
    for (text, value) in known { XCTAssertEqual(NumberText.value(of: text), value, text) }
    XCTAssertEqual(NumberText.value(of: "22,5", decimalComma: true), 22.5)
  }

  func test_value_refusesEverythingElse() {
    for text in [
      "", " ", "NaN", "nan", "inf", "-Infinity", "0x10", "0x1p3", "1e999", "1,5", "1 000", "1.2.3",
      "--1", "٣", "1dB", "1e", String(repeating: "1", count: 65),
    ] { XCTAssertNil(NumberText.value(of: text), text) }
    for text in ["1,2,3", "1.000,5", ","] {
      XCTAssertNil(NumberText.value(of: text, decimalComma: true), text)
    }
  }
}
