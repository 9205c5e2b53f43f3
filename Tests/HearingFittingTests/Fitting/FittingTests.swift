import XCTest

@testable import HearingFitting

final class FittingTests: XCTestCase {
  private let profile = HearingProfile(left: .n3, right: .s1)

  func test_techLevel1_hasTheMeanGainOfNALR_atAllFrequencies() throws {
    let preset = try Fitting.techLevel(1).preset(for: profile)
    // For the standard audiogram N3, NAL-R gives 9.1, 19.65, 20.75 and 22.85 dB at 500 Hz, 1, 2 and
    // 4 kHz.
    let expected = (9.1 + 19.65 + 20.75 + 22.85) / 4
    for frequency in [50.0, 500, 9000] {
      for level in [-Double.infinity, 65, 120] {
        let gain = try XCTUnwrap(preset.left).gain(at: frequency, inputLevel: level)
        XCTAssertEqual(gain, expected, accuracy: 1e-6)
      }
    }
    XCTAssertEqual(preset.rule, "nal-r")
    XCTAssertNotEqual(preset.left, preset.right)
  }

  private func assertEqualEars(
    _ preset: Preset, _ expected: Preset, line: UInt = #line
  ) {
    for ear in Ear.allCases {
      XCTAssertEqual(preset[ear]?.frequencies, expected[ear]?.frequencies, line: line)
      XCTAssertEqual(preset[ear]?.inputLevels, expected[ear]?.inputLevels, line: line)
      XCTAssertEqual(preset[ear]?.gains, expected[ear]?.gains, line: line)
      XCTAssertEqual(preset[ear]?.maximumOutputs, expected[ear]?.maximumOutputs, line: line)
    }
    XCTAssertEqual(preset.rule, expected.rule, line: line)
  }

  func test_techLevel2_usesNALRP() throws {
    let preset = try Fitting.techLevel(2).preset(for: profile)
    assertEqualEars(preset, try PrescriptionRule.nalRP.preset(for: profile))
    XCTAssertEqual(preset.program, .speech)
    XCTAssertNil(preset.limits, "limits do not apply to a linear rule")
  }

  func test_techLevel3_usesComfortableSpeechWithinTheStandardLimits() throws {
    let preset = try Fitting.techLevel(3).preset(for: profile)
    assertEqualEars(
      preset, try PrescriptionRule.comfortableSpeech.preset(for: profile, limits: .standard))
    XCTAssertEqual(preset.limits, .standard)
    XCTAssertEqual(preset.left?.releaseTimes.first, 0.8)
  }

  func test_musicProgram_compressesAtMost1_5To1_andReleasesSlowly() throws {
    var fitting = Fitting.techLevel(3)
    fitting.program = .music
    for rule in [nil, PrescriptionRule.camfitCompressive, .fig6] {
      fitting.rule = rule
      for standard in Audiogram.standards {
        let preset = try fitting.preset(for: HearingProfile(left: standard.audiogram))
        let ear = try XCTUnwrap(preset.left)
        XCTAssertEqual(preset.program, .music)
        XCTAssertEqual(preset.rule, rule?.name ?? "comfortable-music")
        XCTAssertTrue(ear.releaseTimes.allSatisfy { $0 >= 1 })
        // If the compression ratio is 1.5:1, the gain falls by 1/3 dB per dB of input level. The
        // gains and the maximum output at 125 Hz are limited to those at 250 Hz. Those at 8 kHz are
        // limited to those at 6 kHz.
        for frequency in ear.frequencies where (250...6000).contains(frequency) {
          for level in stride(from: 40.0, to: 75, by: 1) {
            let (before, after) = (
              ear.gain(at: frequency, inputLevel: level),
              ear.gain(at: frequency, inputLevel: level + 1)
            )
            if level + before < 99 {
              XCTAssertGreaterThanOrEqual(
                after - before, -1.0 / 3 - 1e-3,
                "\(standard.name) \(preset.rule ?? "") \(frequency) Hz at \(level) dB SPL")
            }
          }
        }
      }
    }
  }

  func test_musicProgram_withOneGainPerEar_isAnError() {
    let fitting = Fitting(techLevel: 1, program: .music)
    XCTAssertThrowsError(try fitting.preset(for: profile)) {
      XCTAssertEqual($0 as? FittingError, .musicNeedsBands(techLevel: 1))
      XCTAssertTrue("\($0)".contains("music"))
    }
  }

  func test_fittingUsingAnotherRule_replacesTheRule() throws {
    assertEqualEars(
      try Fitting.techLevel(2).using(.pogo).preset(for: profile),
      try PrescriptionRule.pogo.preset(for: profile))
    var published = Fitting.techLevel(3).using(.fig6)
    published.limits = .none
    assertEqualEars(
      try published.preset(for: profile), try PrescriptionRule.fig6.preset(for: profile))
    assertEqualEars(
      try Fitting.techLevel(3).using(.nalR).preset(for: profile),
      try PrescriptionRule.nalR.preset(for: profile))
    let broadband = try Fitting.techLevel(1).using(.halfGain).preset(for: profile)
    XCTAssertEqual(broadband.left?.gains, [[(17.5 + 20 + 25 + 30) / 4]])
  }

  func test_preset_unknownTechLevel_isAnError() {
    for level in [0, -1, 4, .max, .min] {
      let fitting = Fitting.techLevel(level, additionalInfo: "headphone")
      XCTAssertThrowsError(try fitting.preset(for: profile)) {
        XCTAssertEqual($0 as? FittingError, .unknownTechLevel(level))
        XCTAssertTrue("\($0)".contains("\(level)"))
      }
      XCTAssertThrowsError(try fitting.using(.nalR).preset(for: HearingProfile()))
    }
  }

  func test_preset_levelDependentRuleAtALinearTechLevel_isAnError() {
    for level in 1...2 {
      XCTAssertThrowsError(try Fitting.techLevel(level).using(.fig6).preset(for: profile)) {
        XCTAssertEqual($0 as? FittingError, .ruleNeedsLevels(rule: .fig6, techLevel: level))
      }
    }
  }

  func test_preset_maximumOutput_isTheLowerOfTheSettingAndTheLimitFromTheThresholds() throws {
    for level in Fitting.knownTechLevels {
      var fitting = Fitting.techLevel(level)
      let usual = try XCTUnwrap(fitting.preset(for: profile).right?.maximumOutput)
      XCTAssertEqual(usual, 102.9, accuracy: 1e-6, "S1: from the thresholds")
      fitting.maximumOutput = 111
      XCTAssertEqual(try fitting.preset(for: profile).right?.maximumOutput, usual)
      fitting.maximumOutput = 100
      XCTAssertEqual(try fitting.preset(for: profile).right?.maximumOutput, 100)
      fitting.limits = .none
      fitting.maximumOutput = nil
      XCTAssertEqual(try fitting.preset(for: profile).right?.maximumOutput, 105)
      fitting.maximumOutput = 118
      XCTAssertThrowsError(try fitting.preset(for: HearingProfile())) {
        XCTAssertEqual(
          $0 as? FittingError,
          .preset(
            EarPreset.Invalid(
              position: "maximumOutput",
              reason: "118 dB SPL is not above 0 and at most \(level == 3 ? 117 : 111) dB SPL")))
      }
    }
  }

  func test_preset_upAndDownVariants_have1_25And0_75TimesTheGain() throws {
    for level in Fitting.knownTechLevels {
      func gain(_ variant: PresetVariant) throws -> Double {
        let preset = try Fitting.techLevel(level).preset(for: profile, variant: variant)
        return try XCTUnwrap(preset.left).gain(at: 1000, inputLevel: 55)
      }
      XCTAssertEqual(try gain(.up), 1.25 * (try gain(.default)), accuracy: 1e-5)
      XCTAssertEqual(try gain(.down), 0.75 * (try gain(.default)), accuracy: 1e-5)
    }
  }

  /// If the compression ratio is limited, the gain for average speech stays the same. For loud
  /// sounds, this limit must not raise the gain of the louder variant.
  func test_preset_upVariant_ofLoudSounds_hasAtMost1_25TimesTheGain() throws {
    for rule in PrescriptionRule.all where rule.isLevelDependent {
      let fitting = Fitting.techLevel(3).using(rule)
      for (name, audiogram) in Audiogram.standards {
        let profile = HearingProfile(left: audiogram)
        let up = try XCTUnwrap(fitting.preset(for: profile, variant: .up).left)
        let middle = try XCTUnwrap(fitting.preset(for: profile).left)
        for frequency in middle.frequencies {
          for level in stride(from: 65.0, through: 120, by: 5) {
            XCTAssertLessThanOrEqual(
              up.gain(at: frequency, inputLevel: level),
              1.25 * middle.gain(at: frequency, inputLevel: level) + 1e-5,
              "\(rule.name), \(name), \(frequency) Hz, \(level) dB SPL")
          }
        }
      }
    }
  }

  func test_preset_earWithoutAudiogram_isNil() throws {
    for level in Fitting.knownTechLevels {
      let preset = try Fitting.techLevel(level).preset(for: HearingProfile(right: .n2))
      XCTAssertNil(preset.left)
      XCTAssertNotNil(preset.right)
    }
  }
}
