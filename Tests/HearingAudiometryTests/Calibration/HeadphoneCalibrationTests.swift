import Foundation
import HearingAudiometry
import HearingFitting
import XCTest

final class HeadphoneCalibrationTests: XCTestCase {
  func test_largestLevel_isTheMinimumOfThreeLimits() throws {
    let calibration = try HeadphoneCalibration(
      name: "A", referenceThresholds: .hda200,
      fullScaleLevels: [125: 120, 1000: 120, 8000: 80])
    // At 125 Hz, the limit is 100 dB SPL, which is 69.5 dB HL (the reference threshold is 30.5 dB
    // SPL). At 1 kHz, the limit is 85 dB HL. At 8 kHz, the limit is the full-scale level of 80 dB
    // SPL, which is 62.5 dB HL (the reference threshold is 17.5 dB SPL).
    XCTAssertEqual(calibration.largestLevel(at: 125), 69.5)
    XCTAssertEqual(calibration.largestLevel(at: 1000), 85)
    XCTAssertEqual(calibration.largestLevel(at: 8000), 62.5)
    XCTAssertNil(calibration.largestLevel(at: 1001))
  }

  func test_invalidValues_throwTypedErrors() {
    typealias Invalid = HeadphoneCalibration.Invalid
    func error(
      _ levels: [Double: Double], hearing: Double = 85, pressure: Double = 100,
      attenuation: Double = 40
    ) -> Invalid? {
      let result = Result { () throws(Invalid) in
        try HeadphoneCalibration(
          name: "A", referenceThresholds: .hda200, fullScaleLevels: levels,
          hearingLevelLimit: hearing, soundPressureLimit: pressure,
          interauralAttenuation: attenuation)
      }
      guard case .failure(let error) = result else { return nil }
      return error
    }
    XCTAssertEqual(error([:]), .noPoints)
    XCTAssertEqual(error([1001: 100]), .noReferenceThreshold(frequency: 1001))
    XCTAssertEqual(error([1000: 200]), .level(200, frequency: 1000))
    XCTAssertEqual(error([1000: 100], hearing: 86), .unsafeLimit(86))
    XCTAssertEqual(error([1000: 100], pressure: 101), .unsafeLimit(101))
    XCTAssertEqual(error([1000: 100], attenuation: 10), .interauralAttenuation(10))
    XCTAssertNotNil(error([1000: .nan]))
    XCTAssertNil(error([1000: 100]))
  }

  func test_codable_roundTripsTheCalibration_andRejectsAnUnsafeLimit() throws {
    let calibration = HeadphoneCalibration.uncalibrated(fullScaleLevel: 110)
    let data = try JSONEncoder().encode(calibration)
    XCTAssertEqual(try JSONDecoder().decode(HeadphoneCalibration.self, from: data), calibration)
    XCTAssertFalse(calibration.isCalibrated)
    let unsafe = String(decoding: data, as: UTF8.self)
      .replacingOccurrences(of: "\"hearingLevelLimit\":85", with: "\"hearingLevelLimit\":120")
    XCTAssertThrowsError(
      try JSONDecoder().decode(HeadphoneCalibration.self, from: Data(unsafe.utf8)))
  }

  func test_json_withLevelsOnly_getsDefaults_andDamagedJSONThrowsATypedError() throws {
    let text = """
      {"format": "hearing-calibration", "version": 1, "name": "A", "points": [
        {"frequency": 4000, "fullScaleLevel": 108, "referenceThreshold": 9.5},
        {"frequency": 1000, "fullScaleLevel": 112, "referenceThreshold": 5.5}]}
      """
    let calibration = try HeadphoneCalibration(json: Data(text.utf8))
    XCTAssertTrue(calibration.isCalibrated)
    XCTAssertEqual(calibration.points.map(\.frequency), [1000, 4000])
    XCTAssertEqual(calibration.largestLevel(at: 1000), 85)
    XCTAssertEqual(try HeadphoneCalibration(json: calibration.jsonData()), calibration)
    for (old, new, reason) in [
      ("\"version\": 1", "\"version\": 2", "newer"),
      ("hearing-calibration", "hearing-test", "hearing-test"),
      ("\"name\": \"A\", ", "", "name"),
      ("112", "1e999", "points"),
      ("112", "412", "412"),
      ("1000", "4000", "4000"),
      ("[\n", "[[\n", "JSON"),
      ("\"name\": \"A\"", "\"name\": \"A\", \"hearingLevelLimit\": 110", "110"),
    ] {
      XCTAssertTrue(text.contains(old), old)
      let damaged = Data(text.replacingOccurrences(of: old, with: new).utf8)
      XCTAssertThrowsError(try HeadphoneCalibration(json: damaged), new) {
        XCTAssertTrue($0 is UnreadableDocument)
        XCTAssertTrue("\($0)".contains(reason), "\(new): \($0)")
      }
    }
  }

  func test_storedReferenceThresholds_areValidated() throws {
    let data = try JSONEncoder().encode(ReferenceThresholds.hda200)
    XCTAssertEqual(
      try JSONDecoder().decode(ReferenceThresholds.self, from: data), .hda200)
    let twice = String(decoding: data, as: UTF8.self)
      .replacingOccurrences(of: "\"frequency\":1500", with: "\"frequency\":1000")
    XCTAssertThrowsError(
      try JSONDecoder().decode(ReferenceThresholds.self, from: Data(twice.utf8)))
  }

  func test_referenceThresholds_haveThePublishedValuesAt750To1500Hz() {
    XCTAssertEqual(ReferenceThresholds.hda200.level(at: 1000), 5.5)
    XCTAssertEqual(ReferenceThresholds.tdh39.level(at: 1000), 7)
    XCTAssertEqual(ReferenceThresholds.insertEarphones.level(at: 1000), 0)
    XCTAssertNil(ReferenceThresholds.hda200.level(at: 900))
    XCTAssertEqual([750, 1500].map(ReferenceThresholds.hda200.level), [6, 5.5])
    XCTAssertEqual([750, 1500].map(ReferenceThresholds.tdh39.level), [7.5, 6.5])
    XCTAssertEqual([750, 1500].map(ReferenceThresholds.insertEarphones.level), [2, 2])
  }
}
