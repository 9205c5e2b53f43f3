import XCTest

@testable import HearingFitting

final class UnitNameTests: XCTestCase {
  func test_hertz_isTheFactor() {
    for unit in [nil, "", "Hz", "HZ", " hz ", "Hertz"] {
      XCTAssertEqual(UnitName.hertz(in: unit), 1)
    }
    for unit in ["kHz", "KHZ", "kilohertz"] { XCTAssertEqual(UnitName.hertz(in: unit), 1000) }
    for unit in ["MHz", "Bark", "count/s", String(repeating: "h", count: 99)] {
      XCTAssertNil(UnitName.hertz(in: unit), unit)
    }
  }

  func test_isHearingLevel_refusesOtherLevels() {
    for unit in [nil, "", "dB", "dBHL", "dB HL", "dB[HL]", "db(hl)", "dB_HL", "decibel"] {
      XCTAssertTrue(UnitName.isHearingLevel(unit), unit ?? "nil")
    }
    for unit in ["dB SPL", "dBASPL", "dB[SPL]", "dBFS", "dB nHL", "%", "Hz"] {
      XCTAssertFalse(UnitName.isHearingLevel(unit), unit)
    }
  }
}
