@testable import HearingFitting
import XCTest

final class NumberTextTests: XCTestCase {
  func test_value_parsesCommonNotations() {
    let known: [(String, Double)] = [
      ("35", 35), (" 35 ", 35), ("-2.5", -2.5), ("+3", 3), ("\u{2212}5", -5), ("1e3", 1000),
      ("1E-1", 0.1), (".5", 0.5), ("0", 0), ("\u{A0}7\t", 7),
    ]
    for (text, value) in known { XCTAssertEqual(QuantityText.value(of: text), value, text) }
    XCTAssertEqual(QuantityText.value(of: "22,5", decimalComma: true), 22.5)
  }

  func test_value_rejectsUnsupportedNotations() {
    for text in [
      "", " ", "NaN", "nan", "inf", "-Infinity", "0x10", "0x1p3", "1e999", "1,5", "1 000", "1.2.3",
      "--1", "٣", "1dB", "1e", String(repeating: "1", count: 65),
    ] { XCTAssertNil(QuantityText.value(of: text), text) }
    for text in ["1,2,3", "1.000,5", ","] {
      XCTAssertNil(QuantityText.value(of: text, decimalComma: true), text)
    }
  }
}

final class UnitNameTests: XCTestCase {
  func test_hertz_ofUnknownUnit_isNil_andOfKilohertzIs1000() {
    for unit in [nil, "", "Hz", "HZ", " hz ", "Hertz"] {
      XCTAssertEqual(QuantityText.hertz(in: unit), 1)
    }
    for unit in ["kHz", "KHZ", "kilohertz"] { XCTAssertEqual(QuantityText.hertz(in: unit), 1000) }
    for unit in ["MHz", "Bark", "count/s", String(repeating: "h", count: 99)] {
      XCTAssertNil(QuantityText.hertz(in: unit), unit)
    }
  }

  func test_isHearingLevel_acceptsDecibelHL_andRejectsOtherUnits() {
    for unit in [nil, "", "dB", "dBHL", "dB HL", "dB[HL]", "db(hl)", "dB_HL", "decibel"] {
      XCTAssertTrue(QuantityText.isHearingLevel(unit), unit ?? "nil")
    }
    for unit in ["dB SPL", "dBASPL", "dB[SPL]", "dBFS", "dB nHL", "%", "Hz"] {
      XCTAssertFalse(QuantityText.isHearingLevel(unit), unit)
    }
  }
}
