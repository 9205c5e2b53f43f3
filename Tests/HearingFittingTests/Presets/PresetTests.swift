import XCTest

@testable import HearingFitting

final class PresetTests: XCTestCase {
  private let profile = HearingProfile(left: .n3, right: .s1)

  func test_subscript_readsAndWritesOneEar() throws {
    var preset = try PrescriptionRule.nalR.preset(for: profile)
    XCTAssertEqual(preset[.left], preset.left)
    XCTAssertEqual(preset[.right], preset.right)
    XCTAssertNotEqual(preset.left, preset.right)
    preset[.right] = nil
    XCTAssertNil(preset.right)
    XCTAssertNotNil(preset.left)
  }

  func test_description_containsTheRuleAndTheGains() throws {
    var preset = try PrescriptionRule.halfGain.preset(for: HearingProfile(left: .n3))
    XCTAssertEqual(
      "\(preset)", "half-gain 1, gain at 1 kHz and 65 dB SPL: left 20.0 dB, right none")
    preset.rule = nil
    preset.ruleVersion = nil
    preset.program = .music
    XCTAssertEqual(
      preset.description,
      "preset without a rule for music, gain at 1 kHz and 65 dB SPL: left 20.0 dB, right none")
  }

  func test_changedCopy_doesNotChangeTheOriginal() throws {
    let original = try PrescriptionRule.fig6.preset(for: profile)
    let changes: [(inout Preset) -> Void] = [
      { $0.left = nil }, { $0.right = nil }, { $0.rule = "another" }, { $0.ruleVersion = 99 },
      { $0.program = .music }, { $0.limits = FittingLimits.none },
    ]
    let (id, json) = (original.id, original.jsonData())
    for (index, change) in changes.enumerated() {
      var copy = original
      XCTAssertEqual(copy, original)
      change(&copy)
      XCTAssertNotEqual(copy, original, "change \(index)")
      XCTAssertNotEqual(copy.id, id, "change \(index)")
      XCTAssertEqual(original.id, id)
      XCTAssertEqual(original.jsonData(), json)
    }
  }

  func test_presetsMadeSeparately_areEqualByContent() throws {
    XCTAssertEqual(
      try PrescriptionRule.fig6.preset(for: profile),
      try PrescriptionRule.fig6.preset(for: profile))
    var changedBack = try PrescriptionRule.fig6.preset(for: profile)
    let left = changedBack.left
    changedBack.left = nil
    changedBack.left = left
    XCTAssertEqual(changedBack, try PrescriptionRule.fig6.preset(for: profile))
    // -0 and 0 are equal numbers.
    XCTAssertEqual(
      try EarPreset(frequencies: [500], gains: [0]),
      try EarPreset(frequencies: [500], gains: [-0.0]))
  }

  func test_id_isThirtyTwoHexadecimalDigits() throws {
    let id = try PrescriptionRule.fig6.preset(for: profile).id
    XCTAssertEqual(id.count, 32)
    XCTAssertTrue(id.allSatisfy(\.isHexDigit))
  }

  /// The expected identifier was calculated without this package. It is the 128-bit FNV-1a hash of
  /// the bytes that the documentation of `id` lists.
  func test_id_ofEmptyPreset_equalsIndependentCalculation() {
    XCTAssertEqual(Preset(left: nil, right: nil).id, "d8a0be7b9ca30ba5d1295a69bad13721")
  }

  func test_id_isEqualForEqualContent() throws {
    XCTAssertEqual(
      try PrescriptionRule.fig6.preset(for: profile).id,
      try PrescriptionRule.fig6.preset(for: profile).id)
  }

  func test_id_differsWithAnyChange() throws {
    func ear(
      _ frequency: Double = 500, _ level: Double = 40, _ gain: Double = 10,
      _ attack: Double = 0.005, _ release: Double = 0.1, _ output: Double = 105
    ) throws -> EarPreset {
      try EarPreset(
        frequencies: [frequency, 2000], inputLevels: [level, 80], gains: [[gain, 4], [30, 12]],
        attackTimes: [attack, 0.005], releaseTimes: [release, 0.1], maximumOutput: output)
    }
    let presets = [
      Preset(left: try ear(), right: nil), Preset(left: nil, right: try ear()),
      Preset(left: try ear(), right: try ear()), Preset(left: nil, right: nil),
      Preset(left: try ear(501), right: nil), Preset(left: try ear(500, 41), right: nil),
      Preset(left: try ear(500, 40, 10.000_001), right: nil),
      Preset(left: try ear(500, 40, 10, 0.006), right: nil),
      Preset(left: try ear(500, 40, 10, 0.005, 0.2), right: nil),
      Preset(left: try ear(500, 40, 10, 0.005, 0.1, 106), right: nil),
      Preset(left: try ear(), right: nil, rule: "fig6"),
      Preset(left: try ear(), right: nil, rule: ""),
      Preset(left: try ear(), right: nil, rule: "fig6", ruleVersion: 0),
      Preset(left: try ear(), right: nil, rule: "fig6", ruleVersion: -1),
      Preset(left: try ear(), right: nil, ruleVersion: 1),
    ]
    XCTAssertEqual(Set(presets.map(\.id)).count, presets.count)
  }
}
