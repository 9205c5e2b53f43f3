import Foundation
import HearingFitting
import XCTest

/// Tests how the file of a hearing profile stores the information about the measurement.
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

  func test_recordWithFalseAlarmsButWithoutSilences_isAccepted() throws {
    let short = #"""
      {"format": "hearing-profile", "version": 1,
       "record": {"procedure": "x", "falseAlarmCount": 3}}
      """#
    XCTAssertEqual(try HearingProfile(json: Data(short.utf8)).record?.falseAlarmCount, 3)
  }

  func test_emptyThresholdRange_failsAndNamesItsPath() {
    let bad = #"""
      {"format": "hearing-profile", "version": 1, "record": {"procedure": "x", "thresholds": [
       {"ear": "left", "frequency": 1000, "standardDeviation": 4, "lowest": 50, "highest": 40}]}}
      """#
    XCTAssertThrowsError(try HearingProfile(json: Data(bad.utf8))) {
      XCTAssertEqual(
        "\($0)", "record.thresholds[0]: a number is out of range, or lowest > highest")
    }
  }

  func test_recordWithANumberOutOfRange_failsAndNamesItsPath() {
    let threshold = #"{"ear": "left", "frequency": 1000, "standardDeviation": 4, "lowest""#
    let repetition = #"{"ear": "left", "frequency""#
    let entry = "a number is out of range, or lowest > highest"
    let cases = [
      (#""falseAlarmCount": 20001"#, "falseAlarmCount: 20001 is outside 0 to 20000"),
      (
        #""silenceCount": 2, "falseAlarmCount": 3"#,
        "falseAlarmCount: 3 is above silenceCount"
      ),
      (#""silenceCount": -5"#, "silenceCount: -5 is outside 0 to 20000"),
      (#""toneCount": 9223372036854775807"#, "toneCount: \(Int.max) is outside 0 to 20000"),
      (#""thresholds": [\#(threshold): -1e300, "highest": 0}]"#, "thresholds[0]: \(entry)"),
      (#""thresholds": [\#(threshold): 0, "highest": 1e300}]"#, "thresholds[0]: \(entry)"),
      (
        #""repeats": [\#(repetition): -1e300, "first": 0, "second": 0}]"#,
        "repeats: a frequency or a threshold is out of range"
      ),
      (
        #""repeats": [\#(repetition): 1e999, "first": 0, "second": 0}]"#,
        "repeats: the number 1e999 is out of range for this value"
      ),
    ]
    for (fields, message) in cases {
      let json = #"""
        {"format": "hearing-profile", "version": 1, "record": {"procedure": "x", \#(fields)}}
        """#
      XCTAssertThrowsError(try HearingProfile(json: Data(json.utf8)), fields) {
        XCTAssertEqual("\($0)", "record.\(message)")
      }
    }
  }

  func test_recordWithNumbersOutOfRange_isWrittenWithoutThem_andCanBeRead() throws {
    var changed = record
    let infinite = MeasurementRecord.Threshold(
      ear: .right, frequency: 1000, standardDeviation: .nan, lowest: 0, highest: .infinity)
    let reversed = MeasurementRecord.Threshold(
      ear: .right, frequency: 2000, standardDeviation: 5, lowest: 50, highest: 40)
    changed.thresholds = [infinite] + record.thresholds + [reversed]
    changed.repeats.append(.init(ear: .right, frequency: 1000, first: .nan, second: 0))
    let profile = HearingProfile(left: .n3, method: .selfTest, record: changed)
    XCTAssertEqual(try HearingProfile(json: profile.jsonData()).record, record)
    changed = MeasurementRecord(
      procedure: "x", headphone: "", toneCount: -1, silenceCount: .max, falseAlarmCount: .max,
      notes: Array(repeating: .repeats, count: 20_001))
    let read = try HearingProfile(json: HearingProfile(record: changed).jsonData()).record
    XCTAssertEqual(read?.toneCount, 0)
    XCTAssertEqual(read?.silenceCount, 20_000)
    XCTAssertEqual(read?.falseAlarmCount, 20_000)
    XCTAssertEqual(read?.notes.count, 20_000)
  }

  func test_isReliable_isFalseOnlyWithNotesAboutUnreliableAnswers() {
    for note in MeasurementRecord.Note.unreliableAnswers {
      XCTAssertFalse(MeasurementRecord(procedure: "x", headphone: "", notes: [note]).isReliable)
    }
    let others: [MeasurementRecord.Note] = [.uncalibrated, .maskingMissing, .ambientNoise]
    XCTAssertTrue(MeasurementRecord(procedure: "x", headphone: "", notes: others).isReliable)
  }
}
