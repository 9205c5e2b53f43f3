import Foundation
import XCTest

@testable import HearingFitting

final class PresetJSONTests: XCTestCase {
  private func preset(_ change: (inout [String: Any]) -> Void) throws -> Data {
    var ear: [String: Any] = [
      "frequencies": [500, 2000], "inputLevels": [40, 80], "gains": [[10, 4], [30, 12]],
      "attackTimes": [0.005, 0.005], "releaseTimes": [0.1, 0.1], "maximumOutput": 105,
    ]
    change(&ear)
    return try JSONSerialization.data(withJSONObject: [
      "format": "hearing-preset", "version": 1, "left": ear,
    ])
  }

  private func assertUnreadable(
    _ position: String, _ reason: String, line: UInt = #line,
    _ change: (inout [String: Any]) -> Void
  ) throws {
    let data = try preset(change)
    do {
      _ = try Preset(json: data)
      XCTFail("no error", line: line)
    } catch {
      XCTAssertEqual(error, .invalid(position: position, reason: reason), line: line)
    }
    XCTAssertThrowsError(try JSONDecoder().decode(Preset.self, from: data), line: line) {
      XCTAssertTrue($0 is DecodingError, "\($0)", line: line)
    }
  }

  func test_jsonData_roundTrip_givesTheSamePresetIDAndBytes() throws {
    var presets = [Preset(left: nil, right: nil)]
    for rule in PrescriptionRule.all {
      for standard in Audiogram.standards {
        let profile = HearingProfile(left: standard.audiogram, right: .n2)
        presets.append(try rule.preset(for: profile, variant: .up))
      }
    }
    presets.append(
      Preset(
        left: try EarPreset(frequencies: [1.0 / 3 + 100, 1000], gains: [.pi, 59.999_999_999_999]),
        right: nil, rule: "future rule\n", ruleVersion: 7))
    for preset in presets {
      let data = preset.jsonData()
      let back = try Preset(json: data)
      XCTAssertEqual(back, preset)
      XCTAssertEqual(back.id, preset.id)
      XCTAssertEqual(back.jsonData(), data)
      let plain = try JSONDecoder().decode(Preset.self, from: JSONEncoder().encode(preset))
      XCTAssertEqual(plain.id, preset.id)
    }
  }

  func test_init_missingTimesAndMaximumOutput_getTheDefaults() throws {
    let data = try preset {
      for key in ["attackTimes", "releaseTimes", "maximumOutput"] { $0[key] = nil }
    }
    XCTAssertEqual(try Preset(json: data), try Preset(json: preset { _ in }))
  }

  func test_init_invalidValue_failsAndNamesItsPath() throws {
    try assertUnreadable("left.frequencies", "missing") { $0["frequencies"] = nil }
    try assertUnreadable("left.gains[1]", "1 gains for 2 input levels") {
      $0["gains"] = [[10, 4], [30]]
    }
    try assertUnreadable("left.gains[1][0]", "61 dB is outside 0 to 60 dB") {
      $0["gains"] = [[10, 4], [61, 12]]
    }
    try assertUnreadable("left.inputLevels[1]", "40 dB SPL is not above the value before it") {
      $0["inputLevels"] = [40, 40]
    }
    try assertUnreadable("left.frequencies[1]", "1e+308 Hz is outside 1 to 100000 Hz") {
      $0["frequencies"] = [500, 1e308]
    }
    try assertUnreadable("left.attackTimes", "3 entries for 2 frequencies") {
      $0["attackTimes"] = [0.1, 0.1, 0.1]
    }
    try assertUnreadable(
      "left.maximumOutput", "118 dB SPL is not above 0 and at most 117 dB SPL"
    ) { $0["maximumOutput"] = 118 }
  }

  func test_init_wrongFormatOrVersion_failsAndNamesTheExpectedFormat() {
    func error(_ json: String) -> UnreadableDocument? {
      do {
        _ = try Preset(json: Data(json.utf8))
        return nil
      } catch { return error }
    }
    XCTAssertEqual(
      error(#"{"format": "hearing-profile", "version": 1}"#),
      .wrongFormat(expected: "hearing-preset", found: "hearing-profile"))
    XCTAssertEqual(
      error(#"{"format": "hearing-preset", "version": 99}"#),
      .newerVersion(format: "hearing-preset", version: 99, known: 2))
    for version in ["1e308", "-1e308", "9223372036854775808", "\"1\"", "null", "[1]"] {
      XCTAssertNotNil(error(#"{"format": "hearing-preset", "version": \#(version)}"#), version)
    }
    XCTAssertEqual(
      error(#"{"format": "hearing-preset", "version": 1, "ruleVersion": 1e308}"#),
      .invalid(position: "ruleVersion", reason: "the number 1e308 is out of range for this value"))
  }

  func test_decode_invalidPresetInsideAnotherValue_failsAndNamesTheWholePath() {
    struct Shelf: Decodable { var presets: [Preset] }
    let json = #"""
      {"presets": [{"format": "hearing-preset", "version": 1,
                    "right": {"frequencies": [], "inputLevels": [65], "gains": []}}]}
      """#
    XCTAssertThrowsError(try JSONDecoder().decode(Shelf.self, from: Data(json.utf8))) {
      guard case DecodingError.dataCorrupted(let context) = $0 else { return XCTFail("\($0)") }
      XCTAssertEqual(context.codingPath.map(\.stringValue), ["presets", "Index 0", "right"])
      XCTAssertTrue(context.underlyingError is EarPreset.Invalid)
    }
  }
}

final class PresetVersionTests: XCTestCase {
  func test_presetOfVersion1_isReadUnchanged_andWrittenAsVersion1() throws {
    let json = """
      {"format": "hearing-preset", "version": 1, "rule": "camfit-compressive", "ruleVersion": 1,
       "left": {"frequencies": [500, 2000], "inputLevels": [40, 80], "gains": [[10, 4], [30, 12]]}}
      """
    let preset = try Preset(json: Data(json.utf8))
    XCTAssertEqual(preset.left?.gain(at: 500, inputLevel: 40), 10)
    XCTAssertNil(preset.left?.curve(at: 500).maximumOutput)
    XCTAssertNil(preset.program)
    XCTAssertNil(preset.limits)
    XCTAssertTrue(String(decoding: preset.jsonData(), as: UTF8.self).contains("\"version\" : 1"))
  }

  func test_presetOfVersion2_roundTrip_givesTheSamePresetAndID() throws {
    for program in [Program.speech, .music] {
      for standard in Audiogram.standards {
        var fitting = Fitting.techLevel(3)
        fitting.program = program
        let preset = try fitting.preset(for: HearingProfile(left: standard.audiogram, right: .n2))
        let data = preset.jsonData()
        XCTAssertTrue(String(decoding: data, as: UTF8.self).contains("\"version\" : 2"))
        let same = try Preset(json: data)
        XCTAssertEqual(same, preset)
        XCTAssertEqual(same.id, preset.id)
      }
    }
  }

  func test_presetForMusic_withANarrowBandwidth_isReadAsItWasWritten() throws {
    let ear = try EarPreset(frequencies: [500, 4000], gains: [10, 30])
    let preset = Preset(left: ear, right: nil, program: .music)
    XCTAssertEqual(try Preset(json: preset.jsonData()), preset)
  }

  func test_invalidMaximumOutputs_failAndNameTheirPath() {
    for (outputs, place) in [
      ("[100]", "left.maximumOutputs"), ("[100, 0]", "left.maximumOutputs[1]"),
    ] {
      let json = """
        {"format": "hearing-preset", "version": 2, "left": {"frequencies": [500, 2000],
         "inputLevels": [65], "gains": [[10], [30]], "maximumOutputs": \(outputs)}}
        """
      XCTAssertThrowsError(try Preset(json: Data(json.utf8))) {
        guard case .invalid(place, _) = $0 as? UnreadableDocument else { return XCTFail("\($0)") }
      }
    }
  }
}
