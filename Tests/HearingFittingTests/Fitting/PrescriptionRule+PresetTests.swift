@testable import HearingFitting
import XCTest

final class PrescriptionRulePresetTests: XCTestCase {
  private static let audiometric: [Double] = [
    125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000,
  ]

  func test_preset_storesTheNameAndVersionOfItsRule() throws {
    for rule in PrescriptionRule.all {
      let preset = try rule.preset(for: HearingProfile(left: .n3))
      XCTAssertEqual(preset.rule, rule.name)
      XCTAssertEqual(preset.ruleVersion, rule.version)
    }
  }

  func test_preset_earWithoutAudiogram_isNil() throws {
    for rule in PrescriptionRule.all {
      XCTAssertNil(try rule.preset(for: HearingProfile(left: .n3)).right)
      XCTAssertNil(try rule.preset(for: HearingProfile(right: .n3)).left)
      let none = try rule.preset(for: HearingProfile())
      XCTAssertNil(none.left)
      XCTAssertNil(none.right)
    }
  }

  func test_preset_ofEachEar_dependsOnlyOnThatEar() throws {
    let both = try PrescriptionRule.nalRP.preset(for: HearingProfile(left: .n2, right: .s1))
    let swapped = try PrescriptionRule.nalRP.preset(for: HearingProfile(left: .s1, right: .n2))
    XCTAssertEqual(both.left, swapped.right)
    XCTAssertEqual(both.right, swapped.left)
    XCTAssertNotEqual(both.left, both.right)
  }

  func test_linearPreset_hasTheGainsOfTheRuleAtEveryFrequency() throws {
    var generator = SeededGeneratorSeed.fresh(#function).generator
    for round in 0..<100 {
      let audiogram =
        round < 10 ? Audiogram.standards[round].audiogram : try randomAudiogram(&generator)
      for rule in PrescriptionRule.all where !rule.isLevelDependent {
        let preset = try XCTUnwrap(rule.preset(for: HearingProfile(left: audiogram)).left)
        XCTAssertEqual(preset.inputLevels.count, 1)
        for _ in 0..<50 {
          let frequency = Double.random(in: 50...20_000, using: &generator)
          let expected = min(
            60, rule.insertionGain(for: audiogram, at: frequency, inputLevel: 65))
          XCTAssertEqual(
            preset.gain(at: frequency, inputLevel: 65), expected, accuracy: 1e-4,
            "\(rule) \(frequency)")
        }
        for frequency in Self.audiometric {
          XCTAssertTrue(preset.frequencies.contains(frequency))
        }
      }
    }
  }

  func test_compressivePreset_aboveTheKnee_hasTheGainsOfTheRule() throws {
    for standard in Audiogram.standards {
      let rule = PrescriptionRule.camfitCompressive
      let preset = try XCTUnwrap(rule.preset(for: HearingProfile(left: standard.audiogram)).left)
      XCTAssertEqual(preset.frequencies, Self.audiometric)
      for (band, frequency) in preset.frequencies.enumerated() {
        let knee = PrescriptionBands.speechLevels[band] - 20
        for level in stride(from: knee, through: 120, by: 0.37) {
          let expected = min(
            60, rule.insertionGain(for: standard.audiogram, at: frequency, inputLevel: level))
          XCTAssertEqual(
            preset.gain(at: frequency, inputLevel: level), expected, accuracy: 1e-4,
            "\(standard.name) \(frequency) \(level)")
        }
      }
    }
  }

  func test_compressivePreset_belowTheKnee_expands() throws {
    for standard in Audiogram.standards {
      let preset = try XCTUnwrap(
        PrescriptionRule.camfitCompressive.preset(for: HearingProfile(right: standard.audiogram))
          .right)
      for (band, frequency) in preset.frequencies.enumerated() {
        let knee = PrescriptionBands.speechLevels[band] - 20
        let gainAtKnee = PrescriptionRule.camfitCompressive.insertionGain(
          for: standard.audiogram, at: frequency, inputLevel: knee)
        for level in stride(from: 0, through: knee, by: 0.31) {
          XCTAssertEqual(
            preset.gain(at: frequency, inputLevel: level),
            min(60, max(0, gainAtKnee + level - knee)), accuracy: 1e-4,
            "\(standard.name) \(frequency) \(level)")
        }
      }
    }
  }

  /// If the overall level of speech rises by 1 dB, the level of the speech in every band also rises
  /// by 1 dB.
  func test_fig6Preset_atTheSpeechLevelOfABand_hasTheRulesGainForTheOverallLevel() throws {
    for standard in Audiogram.standards {
      let preset = try XCTUnwrap(
        PrescriptionRule.fig6.preset(for: HearingProfile(left: standard.audiogram)).left)
      for (band, frequency) in preset.frequencies.enumerated() {
        for overall in stride(from: 35.0, through: 100, by: 1.3) {
          let level = overall - 65 + PrescriptionBands.speechLevels[band]
          let expected = min(
            60,
            PrescriptionRule.fig6.insertionGain(
              for: standard.audiogram, at: frequency, inputLevel: overall))
          XCTAssertEqual(
            preset.gain(at: frequency, inputLevel: level), expected, accuracy: 1e-4,
            "\(standard.name) \(frequency) \(overall)")
        }
      }
    }
  }

  func test_levelDependentPreset_hasInputLevelsEvery5dB() throws {
    for rule in [PrescriptionRule.fig6, .camfitCompressive] {
      let preset = try XCTUnwrap(rule.preset(for: HearingProfile(left: .n4)).left)
      XCTAssertEqual(preset.inputLevels.first, 0)
      XCTAssertEqual(preset.inputLevels.last, 120)
      XCTAssertTrue(Set(preset.inputLevels).isSuperset(of: stride(from: 0, through: 120, by: 5)))
    }
  }

  func test_upAndDownVariants_multiplyGainsBy1_25And0_75_upTo60dB() throws {
    var generator = SeededGeneratorSeed.fresh(#function).generator
    for _ in 0..<20 {
      let audiogram = try randomAudiogram(&generator)
      let profile = HearingProfile(left: audiogram)
      for rule in PrescriptionRule.all {
        let (up, middle, down) = (
          try XCTUnwrap(rule.preset(for: profile, variant: .up).left),
          try XCTUnwrap(rule.preset(for: profile, variant: .default).left),
          try XCTUnwrap(rule.preset(for: profile, variant: .down).left)
        )
        for _ in 0..<50 {
          let frequency = try XCTUnwrap(Self.audiometric.randomElement(using: &generator))
          let level = Double.random(in: 0...120, using: &generator)
          let gain = middle.gain(at: frequency, inputLevel: level)
          guard gain < 60 else { continue }
          XCTAssertEqual(
            up.gain(at: frequency, inputLevel: level), min(60, 1.25 * gain), accuracy: 1e-4)
          XCTAssertEqual(down.gain(at: frequency, inputLevel: level), 0.75 * gain, accuracy: 1e-4)
        }
      }
    }
  }

  func test_preset_ofRandomAudiograms_hasGainsFrom0To60dB() throws {
    var generator = SeededGeneratorSeed.fresh(#function).generator
    for _ in 0..<50 {
      let audiogram = try randomAudiogram(&generator)
      for rule in PrescriptionRule.all {
        for variant in PresetVariant.allCases {
          let preset = try rule.preset(for: HearingProfile(left: audiogram), variant: variant)
          for gain in try XCTUnwrap(preset.left).gains.joined() {
            XCTAssertTrue((0...60).contains(gain), "\(rule) \(gain)")
          }
        }
      }
    }
  }

  func test_preset_maximumOutputAndTimes_areStoredIfValid_andRejectedOtherwise() throws {
    let profile = HearingProfile(left: .n3)
    let preset = try PrescriptionRule.camfitCompressive.preset(
      for: profile, maximumOutput: 117, attackTime: 0.002, releaseTime: 0.3)
    XCTAssertEqual(preset.left?.maximumOutput, 117)
    XCTAssertEqual(Set(preset.left?.attackTimes ?? []), [0.002])
    XCTAssertEqual(Set(preset.left?.releaseTimes ?? []), [0.3])
    XCTAssertThrowsError(try PrescriptionRule.nalR.preset(for: profile, maximumOutput: 117)) {
      XCTAssertEqual(
        "\($0)", "maximumOutput: 117 dB SPL is not above 0 and at most 111 dB SPL")
    }
    for value in [0, -1, Double.nan, .infinity] {
      for rule in PrescriptionRule.all {
        XCTAssertThrowsError(try rule.preset(for: HearingProfile(), maximumOutput: value))
        XCTAssertThrowsError(try rule.preset(for: HearingProfile(), attackTime: value))
        XCTAssertThrowsError(try rule.preset(for: HearingProfile(), releaseTime: value))
      }
    }
  }

  func test_preset_ofALevelDependentRule_hasALongReleaseTime() throws {
    for rule in PrescriptionRule.all {
      let ear = try XCTUnwrap(rule.preset(for: HearingProfile(left: .n3)).left)
      XCTAssertEqual(Set(ear.attackTimes), [0.005], "\(rule)")
      let release: Double =
        switch rule {
        case .comfortableSpeech: 0.8
        case .comfortableMusic: 2
        default: rule.isLevelDependent ? 0.4 : 0.1
        }
      XCTAssertEqual(Set(ear.releaseTimes), [release], "\(rule)")
    }
  }

  func test_preset_ofExtremeAudiograms_isValid() throws {
    let many = (0..<10_000).map {
      Audiogram.Point(frequency: 100 + Double($0) * 1.9, threshold: $0 % 2 == 0 ? -10 : 120)
    }
    let near = [1000, 1000.0.nextUp, 1000.0.nextUp.nextUp].enumerated().map {
      Audiogram.Point(frequency: $1, threshold: $0 == 1 ? 120 : 0)
    }
    let audiograms = [
      try Audiogram(points: many), try Audiogram(points: near), try Audiogram([20_000: 120]),
      try Audiogram([100: -10]), try Audiogram([1000: 0]),
      try Audiogram(points: many.map { Audiogram.Point(frequency: $0.frequency, threshold: 0) }),
    ]
    for audiogram in audiograms {
      for rule in PrescriptionRule.all {
        let preset = try rule.preset(for: HearingProfile(left: audiogram), variant: .up)
        let gains = try XCTUnwrap(preset.left).gains.joined()
        XCTAssertTrue(gains.allSatisfy((0...60).contains))
      }
    }
  }

  func test_linearPreset_ofVeryCloseFrequencies_keepsTheGainsOnBothSides() throws {
    let audiogram = try Audiogram([500: 20, 1000: 20, 1000.000_000_3: 100, 4000: 100])
    let preset = try XCTUnwrap(
      PrescriptionRule.halfGain.preset(for: HearingProfile(left: audiogram)).left)
    XCTAssertEqual(preset.gain(at: 700, inputLevel: 65), 10, accuracy: 1e-6)
    XCTAssertEqual(preset.gain(at: 1010, inputLevel: 65), 50, accuracy: 1e-6)
  }

  /// An audiogram with 1 to 30 points at random frequencies. The thresholds are random. At some
  /// points, there was no response.
  private func randomAudiogram(
    _ generator: inout some RandomNumberGenerator
  ) throws -> Audiogram {
    let count = Int.random(in: 1...30, using: &generator)
    let frequencies = Set(
      (0..<count).map { _ in Double.random(in: 100...20_000, using: &generator) })
    return try Audiogram(
      points: frequencies.map {
        Audiogram.Point(
          frequency: $0, threshold: .random(in: -10...120, using: &generator),
          isNoResponse: .random(using: &generator))
      })
  }
}
