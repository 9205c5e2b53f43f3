import Foundation
import HearingFitting
import HearingReport
import XCTest

#if canImport(FoundationXML)
  import FoundationXML
#endif

final class UncertaintyPictureTests: XCTestCase {
  private func profile(_ notes: [MeasurementRecord.Note] = []) -> HearingProfile {
    let record = MeasurementRecord(
      procedure: "bayesian", headphone: "HDA <200>", toneCount: 61,
      thresholds: [
        .init(ear: .left, frequency: 1000, standardDeviation: 4.2, lowest: 33.5, highest: 47)
      ],
      repeats: [.init(ear: .left, frequency: 1000, first: 40, second: 43)], silenceCount: 66,
      falseAlarmCount: 2, notes: notes)
    return HearingProfile(left: .n3, method: .selfTest, record: record)
  }

  func test_picture_describesRangesAndRepeatedMeasurements() throws {
    let profile = profile()
    let svg = UncertaintyPicture(profile, record: try XCTUnwrap(profile.record)).svg
    XCTAssertTrue(svg.summary.contains("Left ear, 90 % ranges in dB HL: 1000 Hz 33.5 to 47."))
    XCTAssertTrue(svg.summary.contains("Right ear: not measured."))
    XCTAssertTrue(svg.text.contains("Left ear, 1000 Hz: 40 dB HL, 33.5 to 47"))
    XCTAssertTrue(svg.text.contains("measured again: 43 dB HL"))
    XCTAssertNoThrow(try XMLDocumentCheck.check(svg.data))
  }

  func test_report_hasASectionOnTheMeasurement_onlyIfThereIsARecord() throws {
    let profile = profile([.falseAlarms, .uncalibrated])
    let preset = try Fitting.techLevel(3).preset(for: profile)
    let report = ReportPage.fitting(profile: profile, preset: preset)
    XCTAssertTrue(report.sections.map(\.title).contains("How it was measured"))
    for text in [
      "HDA &lt;200&gt;", "2 in 66 silences", "40 and 43 dB HL", "often pressed when there was no",
      "was not calibrated", "does not replace an examination", "conductive",
    ] {
      XCTAssertTrue(report.html.contains(text), text)
    }
    var plain = profile
    plain.record = nil
    XCTAssertFalse(
      ReportPage.fitting(profile: plain, preset: preset).sections.map(\.title)
        .contains("How it was measured"))
  }
}

/// Checks whether bytes are well-formed XML.
private enum XMLDocumentCheck {
  static func check(_ data: Data) throws {
    let parser = XMLParser(data: data)
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.coderReadCorrupt) }
  }
}
