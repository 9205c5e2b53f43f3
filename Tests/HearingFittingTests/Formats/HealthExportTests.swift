import Foundation
import XCTest

#if canImport(Glibc)
  import Glibc
#endif

@testable import HearingFitting

final class HealthExportTests: XCTestCase {
  /// One million. Debug builds are slow, so they use a smaller number. It is also above the limits
  /// of the reader.
  private static var aMillion: Int {
    #if DEBUG
      return 50_000
    #else
      return 1_000_000
    #endif
  }

  private let start = "<Audiogram startDate=\"2024-01-02 03:04:05 +0200\">\n"

  private func export(_ content: String) -> Data {
    Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData>\n\(content)</HealthData>".utf8)
  }

  /// An export with one audiogram. The points of the audiogram begin on line 4.
  private func export(points: String) -> Data {
    export("\(start)\(points)\n</Audiogram>\n")
  }

  private func point(_ attributes: String) -> Data {
    export(points: "<SensitivityPoint frequencyValue=\"1000\" frequencyUnit=\"Hz\" \(attributes)/>")
  }

  func test_allProfiles_inTheExportOfAPhone_areReadInTheirOrder() throws {
    let text =
      HealthExportGenerator.prologue
      + HealthExportGenerator.audiogram(startDate: "2024-06-01 23:30:00 -0700", shift: 5)
      + HealthExportGenerator.audiogram(startDate: "2021-03-01 10:00:00 +0100")
      + HealthExportGenerator.epilogue
    let found = try HearingProfile.all(in: Data(text.utf8))
    XCTAssertEqual(found.map(\.day?.description), ["2024-06-01", "2021-03-01"])
    XCTAssertEqual(found.map(\.position), ["line 21", "line 27"])
    XCTAssertEqual(
      found.first?.profile.measuredAt, ISO8601DateFormatter().date(from: "2024-06-02T06:30:00Z"))
    XCTAssertNil(found.first?.profile.method)
    XCTAssertEqual(
      found.last?.profile.left, try Audiogram([250: 20, 1000: 30, 4000: 50]))
    XCTAssertEqual(
      found.last?.profile.right?.points,
      [(250, 25), (1000, 35), (4000, 55)].map {
        Audiogram.Point(frequency: $0, threshold: $1, isMasked: true)
      })
  }

  func test_initReading_pointsOfOneEar_leaveTheOtherEarNil() throws {
    let profile = try HearingProfile(
      reading: export(
        points: """
          <SensitivityPoint frequencyValue="0.25" frequencyUnit="kHz" leftEarValue="10"/>
          <SensitivityPoint frequencyValue="500" leftEarValue="" rightEarUnit="dBHL"/>
          <SensitivityPoint/>
          <SensitivityPoint frequencyValue="1e3" leftEarValue="-4.5" leftEarUnit="dBHL"/>
          """))
    XCTAssertEqual(profile.left, try Audiogram([250: 10, 1000: -4.5]))
    XCTAssertNil(profile.right)
  }

  func test_initReading_maskedAttribute_acceptsEveryNotation() throws {
    for (text, isMasked) in [
      ("YES", true), ("true", true), ("1", true), ("NO", false), ("False", false), ("0", false),
      ("", false),
    ] {
      let profile = try HearingProfile(
        reading: point("rightEarValue=\"30\" rightEarMasked=\"\(text)\""))
      XCTAssertEqual(profile.right?.points.map(\.isMasked), [isMasked], text)
    }
    assertUnreadable(
      saying: #"line 4, SensitivityPoint, leftEarMasked: "maybe" is neither YES nor NO"#
    ) { () throws(UnreadableDocument) in
      try HearingProfile(reading: self.point("leftEarValue=\"1\" leftEarMasked=\"maybe\""))
    }
  }

  func test_initReading_valueOutsideItsClampingRange_isClampedAndFlagged() throws {
    let bounds = "leftEarClampingRangeLowerBound=\"0\" leftEarClampingRangeUpperBound=\"85\""
    for (value, threshold, isClamped) in [
      ("-5", 0.0, true), ("0", 0, true), ("40", 40, false), ("85", 85, true), ("90", 85, true),
    ] {
      let profile = try HearingProfile(reading: point("leftEarValue=\"\(value)\" \(bounds)"))
      XCTAssertEqual(
        profile.left?.points,
        [.init(frequency: 1000, threshold: threshold, isClamped: isClamped)], value)
    }
    let beyond = try HearingProfile(reading: point("rightEarValue=\"-15\" rightEarUnit=\"dBHL\""))
    XCTAssertEqual(
      beyond.right?.points, [.init(frequency: 1000, threshold: -10, isClamped: true)])
    assertUnreadable(
      saying: "line 4, SensitivityPoint, leftEarClampingRangeLowerBound: "
        + "90 is above the upper bound, 85"
    ) { () throws(UnreadableDocument) in
      try HearingProfile(
        reading: self.point(
          "leftEarValue=\"1\" leftEarClampingRangeLowerBound=\"90\" "
            + "leftEarClampingRangeUpperBound=\"85\""))
    }
  }

  func test_initReading_invalidValue_failsAndNamesLineElementAndAttribute() throws {
    let place = "line 4, SensitivityPoint"
    for (attributes, error) in [
      ("leftEarValue=\"NaN\"", #"\#(place), leftEarValue: "NaN" is not a number"#),
      ("leftEarValue=\"1,5\"", #"\#(place), leftEarValue: "1,5" is not a number"#),
      (
        "leftEarValue=\"140\"",
        "\(place): threshold 140 dB HL at 1000 Hz is outside -10 to 120 dB HL "
          + "(imports accept -20 to 130 dB HL)"
      ),
      (
        "leftEarValue=\"1\" leftEarUnit=\"dBASPL\"",
        #"\#(place), leftEarUnit: "dBASPL" is not dB HL"#
      ),
    ] {
      assertUnreadable(saying: error) { () throws(UnreadableDocument) in
        try HearingProfile(reading: self.point(attributes))
      }
    }
    for (attributes, error) in [
      ("", "\(place), frequencyValue: missing"),
      ("frequencyValue=\"50\"", "\(place): frequency 50 Hz is outside 100 to 20000 Hz"),
      (
        "frequencyValue=\"1\" frequencyUnit=\"MHz\"",
        #"\#(place), frequencyUnit: "MHz" is neither Hz nor kHz"#
      ),
    ] {
      assertUnreadable(saying: error) { () throws(UnreadableDocument) in
        try HearingProfile(
          reading: self.export(points: "<SensitivityPoint \(attributes) leftEarValue=\"1\"/>"))
      }
    }
    assertUnreadable(
      saying: #"line 3, Audiogram, startDate: "last week" is not a date and time"#
    ) { () throws(UnreadableDocument) in
      try HearingProfile(reading: self.export("<Audiogram startDate=\"last week\"/>"))
    }
  }

  func test_initReading_duplicateFrequency_isAcceptedOnlyWithTheSameValue() throws {
    let point = #"<SensitivityPoint frequencyValue="1000" leftEarValue="20"/>"#
    let same = try HearingProfile(reading: export(points: "\(point)\n\(point)"))
    XCTAssertEqual(same.left, try Audiogram([1000: 20]))
    let other = point.replacingOccurrences(of: "\"20\"", with: "\"25\"")
    assertUnreadable(
      saying: "line 5, SensitivityPoint: 1000 Hz of the left ear occurs twice: "
        + "25 dB HL here, 20 dB HL at line 4, SensitivityPoint"
    ) { () throws(UnreadableDocument) in
      try HearingProfile(reading: self.export(points: "\(point)\n\(other)"))
    }
  }

  func test_initReading_exportWithoutValues_failsAndStatesWhatIsMissing() {
    assertUnreadable(saying: "the Apple Health export contains no audiogram") {
      () throws(UnreadableDocument) in
      try HearingProfile(reading: self.export("<Record/>"))
    }
    assertUnreadable(
      saying: "the Apple Health export contains 2 audiograms, all without values"
    ) { () throws(UnreadableDocument) in
      try HearingProfile(reading: self.export("<Audiogram/><Audiogram></Audiogram>"))
    }
  }

  func test_allProfiles_emptyAudiogram_isIgnored() throws {
    let full = HealthExportGenerator.audiogram(startDate: "2021-03-01 10:00:00 +0100")
    let found = try HearingProfile.all(
      in: export(full + "<Audiogram startDate=\"2025-01-01 00:00:00 +0000\"/>"))
    XCTAssertEqual(found.count, 1)
  }

  func test_initReading_entitiesAndExternalDocumentTypes_areRejected_andNeverOpened() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("secret-\(UUID().uuidString).txt")
    try Data("42".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    #if canImport(Glibc)
      // If a process opens the file, this descriptor becomes readable.
      let watch = inotify_init1(Int32(O_NONBLOCK))
      defer { close(watch) }
      XCTAssertGreaterThan(inotify_add_watch(watch, url.path, UInt32(IN_OPEN)), 0)
      func isOpened() -> Bool {
        var event = [UInt8](repeating: 0, count: 1_024)
        return read(watch, &event, event.count) > 0
      }
      XCTAssertEqual(try Data(contentsOf: url), Data("42".utf8))
      XCTAssertTrue(isOpened(), "the watch works")
    #endif
    let bomb = (1..<10).map {
      "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">"
    }
    let entities = "a document type with entity declarations is not supported"
    for (subset, error) in [
      ("[\n<!ENTITY l0 \"ha\">\(bomb.joined())]", "line 2: \(entities)"),
      ("[ <!ENTITY x SYSTEM \"\(url.absoluteString)\"> ]", "line 1: \(entities)"),
      ("[ <!ENTITY % x SYSTEM \"\(url.absoluteString)\"> %x; ]", "line 1: \(entities)"),
      ("SYSTEM \"\(url.absoluteString)\"", "line 1: an external document type is not supported"),
      (
        "PUBLIC '-//X' \"\(url.absoluteString)\" []",
        "line 1: an external document type is not supported"
      ),
    ] {
      let text =
        "<!DOCTYPE HealthData \(subset)><HealthData><Audiogram><SensitivityPoint "
        + "frequencyValue=\"1000\" leftEarValue=\"&x;\"/></Audiogram></HealthData>"
      assertUnreadable(saying: error) { () throws(UnreadableDocument) in
        try HearingProfile(reading: Data(text.utf8))
      }
    }
    #if canImport(Glibc)
      XCTAssertFalse(isOpened(), "the file of an entity or document type is opened")
    #endif
    // An entity without a declaration is undefined.
    XCTAssertThrowsError(try HearingProfile(reading: point("leftEarValue=\"&x;\""))) {
      XCTAssertTrue(
        "\($0)".hasPrefix("line 3: the audiogram that starts here is not well-formed XML"), "\($0)")
    }
  }

  func test_initReading_malformedDocument_failsAndNamesTheLine() {
    for (text, error) in [
      (
        "<HealthData>\n<Record a=\"1\"",
        "line 2: the document ends inside the markup that starts here"
      ),
      (
        "<HealthData>\n<!-- <Record>",
        "line 2: the document ends inside the markup that starts here"
      ),
      ("<HealthData>\n<Record>", "line 2: the document ends with 2 elements not closed"),
      ("<HealthData/>\n</a>", "line 2: an end tag without a start tag"),
      ("<HealthData/>\n<HealthData/>", "line 2: a second root element"),
      ("<HealthData/>\nx", "line 2: text outside the root element"),
      (
        "<HealthData>\n<Record a=\"1 />\n<Record a=\"2\"/></HealthData>",
        "line 2: a tag that is not closed before the next one"
      ),
      ("<HealthData>< a/></HealthData>", "line 1: \"<\" without a name after it"),
      ("<HealthData><!x></HealthData>", "line 1: a declaration that is not allowed here"),
      (
        "<HealthData><!DOCTYPE a></HealthData>", "line 1: a declaration that is not allowed here"
      ),
      ("<!DOCTYPE a [", "line 1: the document ends inside the markup that starts here"),
      ("<!DOCTYPE a [ ] x>", "line 1: an unclosed document type"),
      ("<?xml version='1.0'?>", "the document ends before its first element"),
      (
        "<?xml version='1.0' encoding='EBCDIC'?><HealthData/>",
        "line 1: the encoding \"ebcdic\" is not supported"
      ),
      ("<ClinicalDocument/>", "format: \"ClinicalDocument\", expected \"HealthData\""),
      ("<!doctype html><html/>", "line 1: a declaration that is not allowed here"),
    ] {
      assertUnreadable(saying: error) { () throws(UnreadableDocument) in
        try HearingProfile(reading: Data(text.utf8))
      }
    }
    for content in [
      "<SensitivityPoint></Audiogram>", "</SensitivityPoint>\n", "&#0;", "&nothing;",
      "\n<SensitivityPoint frequencyValue='250' leftEarValue='1' leftEarValue='2'/>",
    ] {
      XCTAssertThrowsError(try HearingProfile(reading: export(points: content)), content) {
        XCTAssertTrue("\($0)".hasPrefix("line 3: the audiogram that starts here is not"), "\($0)")
      }
    }
  }

  func test_initReading_controlCharactersInAttributes_areAccepted() throws {
    for code in (0..<32).compactMap(Unicode.Scalar.init) {
      let profile = try HearingProfile(reading: point("leftEarValue=\"20\" name=\"a\(code)b\""))
      XCTAssertEqual(profile.left, try Audiogram([1000: 20]), "\(code.value)")
    }
  }

  func test_initReading_invalidUTF8_isAnError() throws {
    let good = export(points: "<SensitivityPoint frequencyValue='250' leftEarValue='1' x='y'/>")
    XCTAssertNoThrow(try HearingProfile(reading: good))
    // Damages the name of an element, then the name of an attribute, then the value of an
    // attribute.
    for place in ["ivityPoint", "encyValue", "y'/>"] {
      var data = good
      let range = try XCTUnwrap(good.range(of: Data(place.utf8)))
      data.replaceSubrange(range.lowerBound..<range.lowerBound + 1, with: [0xF5])
      assertUnreadable(saying: "line 3: the audiogram that starts here is not UTF-8") {
        () throws(UnreadableDocument) in try HearingProfile(reading: data)
      }
    }
  }

  func test_initReading_tooManyElementsOrAttributes_areRejected() {
    let points = (0..<12_000).map {
      "<SensitivityPoint frequencyValue='\(100 + $0)' leftEarValue='1'/>"
    }
    let many = export(points: points.joined())
    assertUnreadable(
      saying: "line 4, SensitivityPoint: more than 10000 points are not read"
    ) { () throws(UnreadableDocument) in try HearingProfile(reading: many) }
    let million = export(
      points: String(
        repeating: "<SensitivityPoint frequencyValue='1' leftEarValue='1'/>", count: Self.aMillion))
    assertUnreadable(
      saying: "line 3, Audiogram: an element of more than 1048576 bytes is not read"
    ) { () throws(UnreadableDocument) in try HearingProfile(reading: million) }
    let attributes = (0..<300).map { "a\($0)=''" }.joined(separator: " ")
    assertUnreadable(saying: "line 4: more than 256 attributes are not read") {
      () throws(UnreadableDocument) in
      try HearingProfile(reading: self.export(points: "<SensitivityPoint \(attributes)/>"))
    }
    let audiograms = export(String(repeating: "<Audiogram/>", count: 10_001))
    assertUnreadable(
      saying: "line 3, Audiogram: more than 10000 audiograms or 200000 points are not read"
    ) { () throws(UnreadableDocument) in try HearingProfile(reading: audiograms) }
  }
}
