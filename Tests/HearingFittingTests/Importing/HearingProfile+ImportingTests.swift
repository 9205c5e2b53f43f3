import Foundation
import XCTest

@testable import HearingFitting

final class HearingProfileImportingTests: XCTestCase {
  private let csv = "frequency_hz,left_dbhl,right_dbhl\n1000,20,\n"
  private let export =
    "<HealthData><Audiogram><SensitivityPoint frequencyValue='1000' leftEarValue='20'/></Audiogram></HealthData>"
  private let fhir = #"""
    {"resourceType": "Observation",
     "code": {"coding": [{"system": "http://loinc.org", "code": "89016-0"}]},
     "valueQuantity": {"value": 20}}
    """#
  private let own = #"""
    {"format": "hearing-profile", "version": 1,
     "left": {"points": [{"frequency": 1000, "threshold": 20}]}}
    """#

  private func utf16(_ text: String, isBigEndian: Bool, mark: Bool) -> Data {
    var bytes: [UInt8] = []
    for unit in (mark ? "\u{FEFF}" : "").utf16 + Array(text.utf16) {
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      bytes += isBigEndian ? pair : pair.reversed()
    }
    return Data(bytes)
  }

  func test_initReading_anyFormatInAnyEncoding_isDetectedByContent() throws {
    let expected = HearingProfile(left: try Audiogram([1000: 20]))
    for text in [csv, export, fhir, own, "\n \t" + fhir, "\r\n" + csv, "\n" + export] {
      var writings = [Data(text.utf8), Data("\u{FEFF}\(text)".utf8)]
      for isBigEndian in [true, false] {
        for mark in [true, false] {
          writings.append(utf16(text, isBigEndian: isBigEndian, mark: mark))
        }
      }
      for data in writings {
        XCTAssertEqual(try HearingProfile(reading: data), expected, "\(text): \(data.prefix(4))")
      }
    }
  }

  func test_contentsOf_ignoresTheFileName() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("audiogram-\(UUID().uuidString).pdf")
    defer { try? FileManager.default.removeItem(at: url) }
    for text in [csv, export, fhir, own] {
      try Data(text.utf8).write(to: url)
      XCTAssertEqual(
        try HearingProfile(contentsOf: url), HearingProfile(left: try Audiogram([1000: 20])))
      XCTAssertEqual(try HearingProfile.all(contentsOf: url).count, 1)
    }
  }

  func test_contentsOf_missingFileOrFolder_failsAsInaccessible() throws {
    let missing = FileManager.default.temporaryDirectory
      .appendingPathComponent("nothing-\(UUID().uuidString)")
    for url in [missing, FileManager.default.temporaryDirectory]
      + [URL(string: "https://localhost/a")]
      .compactMap({ $0 })
    {
      XCTAssertThrowsError(try HearingProfile(contentsOf: url)) {
        guard case .inaccessible(let reason) = $0 as? UnreadableDocument else {
          return XCTFail("\($0)")
        }
        XCTAssertFalse(reason.contains("\n"))
      }
    }
  }

  func test_initReading_unsupportedContent_failsAndNamesItsKind() {
    let start = "not an Apple Health export, HL7 FHIR, CSV or hearing profile: "
    for (bytes, error) in [
      (Data(), start + "it is empty"), (Data(" \n".utf8), start + "it is empty"),
      (
        Data("PK\u{3}\u{4}".utf8),
        start + "it is a ZIP archive; unpack it and use the file inside, such as export.xml"
      ), (Data("%PDF-1.7".utf8), start + "it is a PDF"),
      (Data([0x89, 0x50, 0x4E, 0x47]), start + "it is a picture"),
      (
        Data("{\"a\": 1}".utf8),
        start + "JSON with neither \"resourceType\" nor \"format\""
      ),
      (Data("a,b\n\u{E9}".utf8.dropLast()), "line 2: not UTF-8"),
      (Data([0xFF, 0xFE, 0x41]), "UTF-16 with an odd number of bytes"),
      (Data([0xFF, 0xFE, 0x00, 0xD8]), "not UTF-16"),
      (
        Data(#"{"format": "hearing-preset", "version": 1}"#.utf8),
        #"format: "hearing-preset", expected "hearing-profile""#
      ),
      (
        Data(#"{"format": "hearing-profile", "version": 1}"#.utf8),
        "the hearing profile contains no audiogram"
      ),
    ] {
      assertUnreadable(saying: error) { () throws(UnreadableDocument) in
        try HearingProfile(reading: bytes)
      }
    }
    assertUnreadable(.tooLarge(bytes: 16_777_217, limit: 16_777_216)) {
      () throws(UnreadableDocument) in
      try HearingProfile(reading: Data(repeating: UInt8(ascii: " "), count: 20_000_000))
    }
    for text in ["[]", "[1]", "{", "{\"resourceType\": 5}"] {
      XCTAssertThrowsError(try HearingProfile(reading: Data(text.utf8)), text)
    }
  }

  func test_initReading_selectingNewestDayOrIndex_readsThatAudiogram() throws {
    func audiogram(_ date: String, _ value: Int) -> String {
      "<Audiogram startDate=\"\(date)\"><SensitivityPoint frequencyValue=\"1000\" "
        + "leftEarValue=\"\(value)\"/></Audiogram>"
    }
    let data = Data(
      ("<HealthData>" + audiogram("", 1) + audiogram("2024-01-01 10:00:00 +0000", 2)
        + audiogram("2024-01-01 23:30:00 -0800", 3) + audiogram("2024-01-02 01:00:00 +0000", 4)
        + audiogram("2023-01-01 10:00:00 +0000", 5) + "</HealthData>").utf8)
    func value(_ selection: ProfileSelection) throws -> Double? {
      try HearingProfile(reading: data, selecting: selection).left?.threshold(at: 1000)
    }
    func day(_ text: String) throws -> ProfileSelection { .day(try XCTUnwrap(CalendarDay(text))) }
    XCTAssertEqual(try value(.newest), 3)
    XCTAssertEqual(try value(day("2024-01-01")), 3)
    XCTAssertEqual(try value(day("2024-01-02")), 4)
    XCTAssertEqual(try value(day("2023-01-01")), 5)
    XCTAssertEqual(try (0..<5).map { try value(.index($0)) }, [1, 2, 3, 4, 5])
    let missing = try day("2022-01-01")
    assertUnreadable(
      saying: "no audiogram of 2022-01-01; the file has an undated one, 2024-01-01, 2024-01-01, "
        + "2024-01-02, 2023-01-01"
    ) { () throws(UnreadableDocument) in try HearingProfile(reading: data, selecting: missing) }
    for index in [-1, 5, Int.max] {
      assertUnreadable(
        saying: "no audiogram with index \(index); the file has 5, with indices from 0"
      ) {
        () throws(UnreadableDocument) in
        try HearingProfile(reading: data, selecting: .index(index))
      }
    }
  }

  func test_newestSelection_severalAudiogramsOnThatDay_addsANote() throws {
    func found(_ value: Double, _ day: String?) -> ImportedProfile {
      let day = day.flatMap { CalendarDay($0) }
      return ImportedProfile(
        profile: HearingProfile(
          left: Audiogram(validated: [.init(frequency: 500, threshold: value)])),
        day: day, position: "")
    }
    let notes = { (profiles: [ImportedProfile]) in
      try ProfileSelection.newest.measurement(of: profiles).notes
    }
    XCTAssertEqual(
      try notes([found(10, "2024-01-01"), found(20, "2024-01-01")]),
      ["the file has 2 different audiograms of 2024-01-01; the last one is used"])
    XCTAssertEqual(try notes([found(10, "2024-01-01"), found(20, "2024-01-02")]), [])
    XCTAssertEqual(try notes([found(10, "2024-01-01"), found(10, "2024-01-01")]), [], "the same")
  }

  func test_newestSelection_withoutDates_returnsTheLastAudiogram() throws {
    let profiles = [10.0, 20].map { value in
      ImportedProfile(
        profile: HearingProfile(
          left: Audiogram(validated: [.init(frequency: 500, threshold: value)])),
        day: nil, position: "")
    }
    XCTAssertEqual(
      try ProfileSelection.newest.measurement(of: profiles).profile, profiles.last?.profile)
  }
}
