import Foundation
import TestSupport
import XCTest

@testable import HearingFitting

/// Reads damaged documents of all formats. For each document, the reader must return a profile, or
/// throw a typed error with a description of one line.
final class ImportMutationTests: XCTestCase {
  private static let rounds = isDebug ? 1500 : 150_000

  private static var isDebug: Bool {
    #if DEBUG
      return true
    #else
      return false
    #endif
  }

  private static let mutator = DocumentMutator(words: [
    "1e308", "1e999", "NaN", "inf", "-0", "", "0x10", "99999999999999999999", "1,5", "-", "\0",
    "\u{202E}", "\u{FEFF}", "\u{2212}5", "[[[[", "null", "{}", "\"", "'", "<", ">", "<!--", "-->",
    "<![CDATA[", "]]>", "<!DOCTYPE x [", "<!ENTITY", "]>", "&lt;", "&x;", "&#0;", "<Audiogram>",
    "</Audiogram>", "<SensitivityPoint leftEarValue='1'/>", "/>", "<?", "?>", "Hz", "kHz", "dBHL",
    "dB SPL", ";", ",", "\t", "\r", "\n\n", ">110", "NR", "left", "right", "frequency_hz",
    "entered-in-error", "89016-0", "89015-2", "Observation", "Bundle", "component", "hasMember",
    "#a", "2024", "2024-13-01",
  ])

  private static let documents: [String] = {
    let export =
      HealthExportGenerator.prologue
      + HealthExportGenerator.audiogram(startDate: "2024-06-01 23:30:00 -0700", shift: 5)
      + " <Record type=\"a\" value='>'/>\n"
      + HealthExportGenerator.audiogram(startDate: "2021-03-01 10:00:00 +0100")
      + HealthExportGenerator.epilogue
    let small = """
      <HealthData><Audiogram startDate="2024-06-01 23:30:00 -0700"><SensitivityPoint \
      frequencyValue="1" frequencyUnit="kHz" leftEarValue="20" leftEarMasked="YES" \
      leftEarClampingRangeUpperBound="10"/></Audiogram></HealthData>
      """
    let panel = #"""
      {"resourceType": "Observation", "status": "final",
       "code": {"coding": [{"system": "http://loinc.org", "code": "89015-2"}]},
       "subject": {"reference": "Patient/1"}, "effectiveDateTime": "2026-06-12T08:25:00+08:00",
       "component": [
        {"code": {"coding": [{"system": "http://loinc.org", "code": "89016-0"}]},
         "valueQuantity": {"value": 20, "comparator": ">", "unit": "dB"}},
        {"code": {"coding": [{"code": "89017-8"}]}, "valueInteger": 25,
         "interpretation": [{"coding": [{"code": "ND"}]}]}]}
      """#
    let bundle = #"""
      {"resourceType": "Bundle", "entry": [
       {"fullUrl": "urn:1", "resource": {"resourceType": "Observation", "id": "a",
        "code": {"coding": [{"code": "Audiogram"}]}, "hasMember": [{"reference": "Observation/b"}]}},
       {"resource": {"resourceType": "Observation", "id": "b", "contained": [],
        "code": {"coding": [{"code": "hearingSensitivity"}]},
        "effectivePeriod": {"start": "2023-12-01T05:33:42Z"},
        "component": [
         {"code": {"coding": [{"code": "frequency"}]}, "valueQuantity": {"value": 500, "unit": "Hz"}},
         {"code": {"coding": [{"code": "leftEarSensitivity"}]},
          "valueQuantity": {"value": 30, "code": "dB"}}]}}]}
      """#
    let own = #"""
      {"format": "hearing-profile", "version": 1, "measuredAt": "2025-03-14T09:26:53Z",
       "left": {"points": [{"frequency": 250, "threshold": 20, "isMasked": true}]}}
      """#
    return [
      export, small, panel, bundle, own,
      "frequency_hz,left_dbhl,right_dbhl\n250,20,25\n1000,22.5,>110\n\"4000\",,55\n",
      "sep=;\nkHz;Left;left_masked;Right NR;Right\r\n0,25;20;yes;;25\r\n1;22,5;;x;30\r\n",
    ]
  }()

  func test_allProfiles_inADamagedDocument_areValidOrATypedErrorIsThrown() throws {
    let fresh = SeededGeneratorSeed.fresh(#function)
    let seed = fresh.seed
    var generator = fresh.generator
    let originals = Self.documents.flatMap { text in
      [Data(text.utf8), Data(text.utf8), Data(text.utf8), Self.utf16(text)]
    }
    for original in originals {
      XCTAssertNoThrow(try HearingProfile(reading: original))
    }
    var (accepted, refused, placed) = (0, 0, 0)
    var longest = Duration.zero
    for _ in 0..<Self.rounds {
      var bytes = Array(try XCTUnwrap(originals.randomElement(using: &generator)))
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        Self.mutator.damage(&bytes, &generator)
      }
      let data = Data(bytes)
      let start = ContinuousClock.now
      do {
        let found = try HearingProfile.all(in: data)
        accepted += 1
        XCTAssertFalse(found.isEmpty)
        for profile in found.map(\.profile) { Self.check(profile) }
      } catch {
        refused += 1
        if case .invalid = error { placed += 1 }
        Self.check(error.description, seed: seed)
      }
      longest = max(longest, start.duration(to: .now))
    }
    print(
      "\(#function): \(accepted) read, \(refused) refused, \(placed) of "
        + "them with a value's place, at most \(longest) each")
    XCTAssertGreaterThan(accepted, Self.rounds / 50)
    XCTAssertGreaterThan(refused, Self.rounds / 10)
    XCTAssertLessThan(longest, .seconds(2))
  }

  /// If a table is truncated, the remaining rows are still a table. All other documents are invalid
  /// without their last character.
  func test_allProfiles_inATruncatedDocument_areTheProfilesOfAShorterTableOrATypedErrorIsThrown() {
    for text in Self.documents {
      let isTable = !text.hasPrefix("<") && !text.hasPrefix("{")
      let bytes = Data(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
      var accepted = 0
      for length in (0..<bytes.count) {
        do {
          for profile in try HearingProfile.all(in: bytes.prefix(length)).map(\.profile) {
            accepted += 1
            Self.check(profile)
          }
        } catch {
          Self.check(error.description, seed: 0)
        }
      }
      XCTAssertEqual(accepted > 0, isTable, "\(accepted) profiles in parts of \(text)")
    }
  }

  private static func check(_ profile: HearingProfile) {
    XCTAssertTrue(profile.left != nil || profile.right != nil)
    XCTAssertEqual(try HearingProfile(json: profile.jsonData()), profile)
    for ear in Ear.allCases {
      XCTAssertNil(profile[ear].flatMap { Audiogram.Invalid.first(in: $0.points) })
    }
    _ = HearingAssessment(of: profile)
  }

  private static func check(_ line: String, seed: UInt64) {
    XCTAssertFalse(line.isEmpty)
    XCTAssertLessThan(line.utf8.count, 2000)
    for scalar in line.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        XCTFail("seed \(seed): control character in \(line.debugDescription)")
      default: break
      }
    }
  }

  private static func utf16(_ text: String) -> Data {
    Data([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
  }
}
