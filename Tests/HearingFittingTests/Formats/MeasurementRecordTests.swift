import Foundation
import HearingFitting
import XCTest

/// Tests how the file of a profile stores the record of the measurement.
final class MeasurementRecordTests: XCTestCase {
  private let record = MeasurementRecord(
    procedure: "bayesian", headphone: "HDA 200", toneCount: 61,
    thresholds: [
      .init(
        ear: .left, frequency: 1000, standardDeviation: 4.2, lowest: 33.5, highest: 47,
        needsMasking: true)
    ],
    repeats: [.init(ear: .left, frequency: 1000, first: 40, second: 43)], silenceCount: 66,
    falseAlarmCount: 2, notes: [.uncalibrated, .init(rawValue: "of-a-later-version")])

  func test_record_roundTripsThroughTheJSONOfAProfile() throws {
    let profile = HearingProfile(left: .n3, method: .selfTest, record: record)
    let read = try HearingProfile(json: profile.jsonData())
    XCTAssertEqual(read, profile)
    XCTAssertEqual(read.record?.threshold(of: .left, at: 1000)?.lowest, 33.5)
    XCTAssertNil(read.record?.threshold(of: .right, at: 1000))
    XCTAssertEqual(read.record?.isReliable, true)
  }

  func test_profileWithoutARecord_isRead_andIsWrittenWithoutARecord() throws {
    let old = #"""
      {"format": "hearing-profile", "version": 1, "method": "self-test",
       "left": {"points": [{"frequency": 1000, "threshold": 35}]}}
      """#
    let profile = try HearingProfile(json: Data(old.utf8))
    XCTAssertNil(profile.record)
    XCTAssertEqual(profile.left?.threshold(at: 1000), 35)
    XCTAssertFalse(String(decoding: profile.jsonData(), as: UTF8.self).contains("record"))
  }

  func test_recordWithTheProcedureOnly_isAccepted() throws {
    let short = #"{"format": "hearing-profile", "version": 1, "record": {"procedure": "x"}}"#
    let read = try HearingProfile(json: Data(short.utf8))
    XCTAssertEqual(read.record, MeasurementRecord(procedure: "x", headphone: ""))
  }

  func test_emptyThresholdRange_failsAndNamesItsPath() {
    let bad = #"""
      {"format": "hearing-profile", "version": 1, "record": {"procedure": "x", "thresholds": [
       {"ear": "left", "frequency": 1000, "standardDeviation": 4, "lowest": 50, "highest": 40}]}}
      """#
    XCTAssertThrowsError(try HearingProfile(json: Data(bad.utf8))) {
      XCTAssertEqual(
        "\($0)", "record.thresholds[0].highest: the range from 50 to 40 dB HL is empty")
    }
  }

  func test_isReliable_isFalseOnlyWithNotesAboutUnreliableAnswers() {
    for note in MeasurementRecord.Note.unreliableAnswers {
      XCTAssertFalse(MeasurementRecord(procedure: "x", headphone: "", notes: [note]).isReliable)
    }
    let others: [MeasurementRecord.Note] = [.uncalibrated, .maskingMissing, .ambientNoise]
    XCTAssertTrue(MeasurementRecord(procedure: "x", headphone: "", notes: others).isReliable)
  }
}
