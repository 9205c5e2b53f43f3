import Foundation
import XCTest

@testable import HearingFitting

final class HearingProfileJSONTests: XCTestCase {
  private func read(_ json: String) throws(UnreadableDocument) -> HearingProfile {
    try HearingProfile(json: Data(json.utf8))
  }

  private func assertUnreadable(
    _ json: String, _ expected: UnreadableDocument, line: UInt = #line
  ) {
    do {
      _ = try read(json)
      XCTFail("no error", line: line)
    } catch {
      XCTAssertEqual(error, expected, line: line)
    }
  }

  private func profile(_ left: String) -> String {
    #"{"format": "hearing-profile", "version": 1, "left": \#(left)}"#
  }

  func test_jsonData_hasTheDocumentedSchema() throws {
    let profile = HearingProfile(
      left: try Audiogram(points: [
        .init(frequency: 500, threshold: 40, isMasked: true),
        .init(frequency: 250, threshold: 22.5),
      ]), measuredAt: Date(timeIntervalSince1970: 1_741_944_413), method: .pureToneAudiometry)
    let expected = """
      {
        "format" : "hearing-profile",
        "left" : {
          "points" : [
            {
              "frequency" : 250,
              "threshold" : 22.5
            },
            {
              "frequency" : 500,
              "isMasked" : true,
              "threshold" : 40
            }
          ]
        },
        "measuredAt" : "2025-03-14T09:26:53Z",
        "method" : "pure-tone-audiometry",
        "version" : 1
      }
      """
    XCTAssertEqual(String(decoding: profile.jsonData(), as: UTF8.self), expected)
  }

  func test_jsonData_roundTrip_givesTheSameProfileAndBytes() throws {
    let point = Audiogram.Point(
      frequency: 1234.5678901234567, threshold: 1.0 / 3, isMasked: true, isNoResponse: true,
      isClamped: true)
    let profiles = [
      HearingProfile(), HearingProfile(left: .n3, right: .s2), HearingProfile(right: .n7),
      HearingProfile(
        left: try Audiogram(points: [point]), measuredAt: Date(timeIntervalSince1970: 0.123),
        method: MeasurementMethod(rawValue: "by \"hand\"/\n😀")),
    ]
    for profile in profiles {
      let data = profile.jsonData()
      let back = try HearingProfile(json: data)
      XCTAssertEqual(back, profile)
      XCTAssertEqual(back.jsonData(), data)
      XCTAssertEqual(
        try JSONDecoder().decode(HearingProfile.self, from: JSONEncoder().encode(profile)), profile)
    }
  }

  func test_init_thresholdSlightlyOutOfRange_isClampedAndFlagged() throws {
    let read = try read(
      profile(
        #"{"points": [{"frequency": 4000, "threshold": 125}, {"frequency": 250, "threshold": -12}]}"#
      ))
    XCTAssertEqual(
      read.left?.points,
      [
        .init(frequency: 250, threshold: -10, isClamped: true),
        .init(frequency: 4000, threshold: 120, isClamped: true),
      ])
  }

  func test_init_ignoresUnknownKeysAndNulls() throws {
    let json = #"""
      {"format": "hearing-profile", "version": 1, "clinic": {"a": [1]}, "right": null,
       "measuredAt": null, "method": null,
       "left": {"points": [{"frequency": 250, "threshold": 20, "isMasked": null}], "x": 1}}
      """#
    XCTAssertEqual(try read(json), HearingProfile(left: try Audiogram([250: 20])))
  }

  func test_init_wrongFormatOrVersion_failsAndNamesTheExpectedFormat() {
    assertUnreadable(
      #"{"format": "hearing-preset", "version": 1}"#,
      .wrongFormat(expected: "hearing-profile", found: "hearing-preset"))
    assertUnreadable(
      #"{"format": "hearing-profile", "version": 2}"#,
      .newerVersion(format: "hearing-profile", version: 2, known: 1))
    assertUnreadable(
      #"{"format": "hearing-profile", "version": 0}"#,
      .invalid(position: "version", reason: "0 is not a version; versions start at 1"))
    assertUnreadable(#"{"version": 1}"#, .invalid(position: "format", reason: "missing"))
    assertUnreadable(
      #"{"format": "hearing-profile"}"#, .invalid(position: "version", reason: "missing"))
    assertUnreadable(
      #"{"format": "hearing-profile", "version": 1.5}"#,
      .invalid(position: "version", reason: "the number 1.5 is out of range for this value"))
  }

  func test_init_invalidValue_failsAndNamesItsPath() {
    assertUnreadable(
      profile(#"{"points": [{"frequency": 250, "threshold": 20}, {"frequency": 500}]}"#),
      .invalid(position: "left.points[1].threshold", reason: "missing"))
    assertUnreadable(
      profile(#"{"points": [{"frequency": 250, "threshold": 1e999}]}"#),
      .invalid(
        position: "left.points[0].threshold",
        reason: "the number 1e999 is out of range for this value"))
    assertUnreadable(
      profile(#"{"points": []}"#),
      .invalid(position: "left.points", reason: "an audiogram needs at least one point"))
    assertUnreadable(
      profile(
        #"{"points": [{"frequency": 250, "threshold": 20}, {"frequency": 250, "threshold": 21}]}"#),
      .invalid(position: "left.points", reason: "point 1: 250 Hz occurs more than once"))
    assertUnreadable(
      profile(#"{"points": [{"frequency": 250, "threshold": 131}]}"#),
      .invalid(
        position: "left.points",
        reason: "point 0: threshold 131 dB HL at 250 Hz is outside -10 to 120 dB HL "
          + "(imports accept -20 to 130 dB HL)"))
    assertUnreadable(
      #"{"format": "hearing-profile", "version": 1, "measuredAt": "yesterday"}"#,
      .invalid(
        position: "measuredAt", reason: "\"yesterday\" is not a date and time in ISO 8601"))
    for json in [
      #"{"points": [{"frequency": 250, "threshold": "NaN"}]}"#,
      #"{"points": [{"frequency": true, "threshold": 20}]}"#, #"{"points": {}}"#, "3", "[]",
      #"{"points": [[250, 20]]}"#,
    ] {
      XCTAssertThrowsError(try read(profile(json)), json) {
        XCTAssertTrue("\($0)".hasPrefix("left"), "\($0)")
        XCTAssertFalse("\($0)".contains("\n"))
      }
    }
  }

  func test_init_tooManyPoints_failsAndNamesTheLimit() {
    let points = (0...10_000).map { #"{"frequency": \#(100 + $0), "threshold": 20}"# }
    assertUnreadable(
      profile(#"{"points": [\#(points.joined(separator: ","))]}"#),
      .invalid(
        position: "left.points", reason: "10001 points, but an audiogram has at most 10000"))
  }

  func test_init_invalidJSON_failsAndStatesTheReasonAndPosition() {
    assertUnreadable("{", .malformed(reason: "not JSON: Unexpected end of file during JSON parse."))
    // On Apple's platforms, the error of the JSON decoder names the line instead of the character.
    #if os(Linux)
      assertUnreadable(
        "{\"left\": 1,\n]", .malformed(reason: "not JSON: Invalid value around character 12."))
      assertUnreadable(
        "{\"another\":\n-01}",
        .malformed(reason: "not JSON: Number with leading zero around character 14."))
    #endif
    for json in ["", "\u{FEFF}", "nul", "{]", "{\"format\": NaN}", "{} {}", "\u{0}"] {
      XCTAssertThrowsError(try read(json), json) {
        XCTAssertTrue("\($0)".hasPrefix("not JSON: "), "\($0)")
      }
    }
    // The key is unknown, and the value of the key is not valid JSON.
    for value in ["1eE2", "-01", "0.3e+", #""\x00""#, #""\u00A""#, "\"\t\"", ".5", "[1 2]"] {
      XCTAssertThrowsError(try read(#"{"another": \#(value)}"#), value) {
        XCTAssertTrue("\($0)".hasPrefix("not JSON: "), "\($0)")
      }
    }
    XCTAssertThrowsError(try read(String(repeating: "[", count: 1_000_000)))
    XCTAssertThrowsError(try read(String(repeating: "{\"left\":", count: 100_000)))
  }

  func test_init_documentAbove16MiB_isRejected() {
    let data = Data(repeating: UInt8(ascii: " "), count: 16 * 1024 * 1024 + 1)
    XCTAssertThrowsError(try HearingProfile(json: data)) {
      XCTAssertEqual(
        $0 as? UnreadableDocument, .tooLarge(bytes: 16_777_217, limit: 16_777_216))
    }
  }
}
