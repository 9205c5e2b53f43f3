import Foundation
import XCTest

@testable import HearingFitting

final class FittingLimitsTests: XCTestCase {
  private let rules: [PrescriptionRule] = [.camfitCompressive, .fig6, .comfortableSpeech]

  private func ear(
    _ rule: PrescriptionRule, _ audiogram: Audiogram, _ limits: FittingLimits
  ) throws -> EarPreset {
    try XCTUnwrap(
      rule.preset(for: HearingProfile(left: audiogram), maximumOutput: 111, limits: limits).left)
  }

  func test_withoutLimits_gainsAreThoseOfThePublishedRule() throws {
    for rule in rules {
      let ear = try ear(rule, .n4, .none)
      XCTAssertEqual(ear, try rule.preset(for: HearingProfile(left: .n4), maximumOutput: 111).left)
      XCTAssertNil(ear.maximumOutputs)
      XCTAssertTrue(ear.limitedGains.isEmpty)
    }
  }

  func test_unmeasuredFrequencies_getNoMoreGainThanTheNearestMeasuredBand() throws {
    let limits = try FittingLimits(
      expansionSpeechLevel: nil, maximumRatio: nil, maximumGain: nil, discomfortMargin: nil)
    for rule in rules {
      for standard in Audiogram.standards {
        let limited = try ear(rule, standard.audiogram, limits)
        let speech = PrescriptionBands.speechLevels
        let (six, eight) = (9, 10)
        for level in stride(from: -20.0, through: 20, by: 2.5) {
          let bound = limited.gain(at: 6000, inputLevel: speech[six] + level)
          let gain = limited.gain(at: 8000, inputLevel: speech[eight] + level)
          XCTAssertLessThanOrEqual(gain, bound + 1e-4, "\(rule) \(standard.name) \(level)")
        }
      }
    }
    let n3 = try ear(.camfitCompressive, .n3, limits)
    XCTAssertTrue(n3.limitedGains.contains { $0.limit == .unmeasured && $0.frequency == 8000 })
    let measured = try Audiogram([250: 35, 1000: 40, 4000: 60, 8000: 65])
    XCTAssertFalse(
      try ear(.camfitCompressive, measured, limits).limitedGains.contains {
        $0.limit == .unmeasured && $0.frequency == 8000
      })
  }

  func test_expansion_lowersGainOnlyBelowSoftSpeech() throws {
    let limits = try FittingLimits(
      holdsUnmeasuredGain: false, maximumRatio: nil, maximumGain: nil, discomfortMargin: nil)
    let (published, limited) = (
      try ear(.camfitCompressive, .n2, .none), try ear(.camfitCompressive, .n2, limits)
    )
    for (band, frequency) in PrescriptionBands.centers.enumerated() {
      // The knee point of the curve is 20 dB below the speech level of a band. At 8 kHz, it is only
      // 7 dB below the speech level.
      let knee = PrescriptionBands.speechLevels[band] - (frequency == 8000 ? 7 : 20)
      let top = published.gain(at: frequency, inputLevel: knee)
      for distance in stride(from: 0.0, through: 30, by: 5) {
        XCTAssertEqual(
          limited.gain(at: frequency, inputLevel: knee + distance),
          published.gain(at: frequency, inputLevel: knee + distance), accuracy: 1e-4)
        guard knee - distance >= 0 else { continue }
        XCTAssertEqual(
          limited.gain(at: frequency, inputLevel: knee - distance), max(0, top - 3 * distance),
          accuracy: 1e-4, "\(frequency) Hz, \(distance) dB below the knee")
      }
    }
  }

  func test_maximumRatioAndMaximumGain_areNotExceeded() throws {
    let limits = try FittingLimits(
      holdsUnmeasuredGain: false, maximumRatio: 2, maximumGain: 30)
    for rule in rules {
      for standard in Audiogram.standards {
        let ear = try ear(rule, standard.audiogram, limits)
        XCTAssertLessThanOrEqual(ear.gains.joined().max() ?? 0, 30)
        for frequency in ear.frequencies {
          for level in stride(from: 45.0, to: 80, by: 0.5) {
            let (before, after) = (
              ear.gain(at: frequency, inputLevel: level),
              ear.gain(at: frequency, inputLevel: level + 0.5)
            )
            // Above 100 dB SPL, the maximum output of the rule limits the gain.
            guard level + before < 98.9, after > 0 else { continue }
            XCTAssertGreaterThanOrEqual(after - before, -0.25 - 1e-3, "\(rule) \(standard.name)")
          }
        }
      }
    }
  }

  func test_maximumOutputs_areDerivedFromTheThresholds() throws {
    let ear = try ear(.camfitCompressive, .n4, .standard)
    let outputs = try XCTUnwrap(ear.maximumOutputs)
    // The threshold of N4 at 1 kHz is 55 dB HL. Therefore the discomfort level is 100 + 0.5 · 15 =
    // 107.5 dB HL. At 1 kHz, 0 dB HL is 2.4 dB SPL. The maximum output is 5 dB below the discomfort
    // level: 107.5 + 2.4 − 5 = 104.9 dB SPL.
    XCTAssertEqual(outputs[4], 104.9, accuracy: 1e-6)
    XCTAssertTrue(outputs.allSatisfy { $0 <= 111 })
    XCTAssertEqual(ear.curve(at: 1000).maximumOutput, outputs[4])
    XCTAssertEqual(Audiogram.discomfortLevel(threshold: 20), 100)
    XCTAssertEqual(Audiogram.discomfortLevel(threshold: 120), 140)
  }

  func test_invalidLimits_failAndNameTheField() {
    func assertInvalid(
      _ field: String, line: UInt = #line,
      _ make: () throws(FittingLimits.Invalid) -> FittingLimits
    ) {
      do {
        _ = try make()
        XCTFail("no error", line: line)
      } catch {
        XCTAssertEqual(error.position, field, line: line)
        XCTAssertTrue("\(error)".hasPrefix(field + ": "), line: line)
      }
    }
    assertInvalid("maximumRatio") { () throws(FittingLimits.Invalid) in
      try FittingLimits(maximumRatio: 0.5)
    }
    assertInvalid("maximumGain") { () throws(FittingLimits.Invalid) in
      try FittingLimits(maximumGain: -1)
    }
    assertInvalid("discomfortMargin") { () throws(FittingLimits.Invalid) in
      try FittingLimits(discomfortMargin: 21)
    }
    assertInvalid("expansionSlope") { () throws(FittingLimits.Invalid) in
      try FittingLimits(expansionSlope: .nan)
    }
    assertInvalid("expansionSpeechLevel") { () throws(FittingLimits.Invalid) in
      try FittingLimits(expansionSpeechLevel: 70)
    }
  }

  func test_json_withAnUnknownLimit_failsAndNamesIt() {
    assertUnreadable(
      saying: "maxGain: not a limit; the limits are holdsUnmeasuredGain, expansionSpeechLevel, "
        + "expansionSlope, maximumRatio, maximumGain, discomfortMargin"
    ) { () throws(UnreadableDocument) in
      try FittingLimits(json: Data(#"{"maximumRatio": 2, "maxGain": 30}"#.utf8))
    }
  }

  func test_json_valueOfTheWrongType_failsAndNamesTheExpectedType() {
    for (json, expected) in [
      ("[1]", "expected an object"), ("null", "null, expected an object"),
      (#"{"maximumRatio": "three"}"#, "maximumRatio: expected a number"),
      (#"{"holdsUnmeasuredGain": 1.5}"#, "holdsUnmeasuredGain: expected true or false"),
    ] {
      assertUnreadable(saying: expected) { () throws(UnreadableDocument) in
        try FittingLimits(json: Data(json.utf8))
      }
    }
  }

  func test_json_missingFields_getDefaults_andInvalidValuesFail() throws {
    XCTAssertEqual(try FittingLimits(json: Data("{}".utf8)), .standard)
    XCTAssertEqual(try FittingLimits(json: FittingLimits.none.jsonData()), .none)
    let limits = try FittingLimits(json: Data(#"{"maximumRatio": null, "maximumGain": 40}"#.utf8))
    XCTAssertNil(limits.maximumRatio)
    XCTAssertEqual(limits.maximumGain, 40)
    XCTAssertThrowsError(try FittingLimits(json: Data(#"{"maximumGain": 80}"#.utf8))) {
      XCTAssertEqual(
        $0 as? UnreadableDocument,
        .invalid(position: "maximumGain", reason: "80 is outside 0 to 60"))
    }
  }

  func test_linearPreset_withMeasuredDiscomfort_limitsEachBand() throws {
    let discomfort = try Audiogram([250: 85, 8000: 85])
    for level in 1...2 {
      let fitting = Fitting.techLevel(level)
      XCTAssertNil(try fitting.preset(for: HearingProfile(left: .n4)).left?.maximumOutputs)
      let preset = try fitting.preset(for: HearingProfile(left: .n4, leftDiscomfort: discomfort))
      XCTAssertEqual(try Preset(json: preset.jsonData()), preset)
      let ear = try XCTUnwrap(preset.left)
      for frequency in PrescriptionBands.centers {
        XCTAssertLessThanOrEqual(
          ear.largestOutput(at: frequency, in: .freeField),
          Audiogram.n4.discomfortLevel(at: frequency, measured: discomfort) - 5 + 1e-5)
      }
    }
  }

  func test_discomfortLevelThatWasNotReached_doesNotLowerTheMaximumOutputs() throws {
    func outputs(_ points: [Audiogram.Point]?) throws -> [Double] {
      let profile = HearingProfile(
        left: .n4, leftDiscomfort: try points.map { try Audiogram(points: $0) })
      return try XCTUnwrap(Fitting.techLevel(3).preset(for: profile).left?.maximumOutputs)
    }
    let frequencies = Audiogram.n4.points.map(\.frequency)
    func points(_ level: Double) -> [Audiogram.Point] {
      frequencies.map { .init(frequency: $0, threshold: level, isNoResponse: true) }
    }
    // The typical discomfort levels for N4 are at least 107.5 dB HL.
    let typical = try outputs(nil)
    for (output, usual) in zip(try outputs(points(90)), typical) {
      XCTAssertEqual(output, usual, accuracy: 1)
    }
    for (output, usual) in zip(try outputs(points(120)), typical) {
      XCTAssertGreaterThanOrEqual(output, usual)
    }
    let one = try Audiogram(points: [.init(frequency: 1000, threshold: 110, isNoResponse: true)])
    XCTAssertEqual(Audiogram.n4.discomfortLevel(at: 1000, measured: one), 110 + 2.4)
  }

  func test_discomfortLevelBelowTheThreshold_isReplacedByTheTypicalLevel() throws {
    let usual = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n4)).left
    for level in [0.0, 11, 20] {
      let points = Audiogram.n4.points.map {
        Audiogram.Point(frequency: $0.frequency, threshold: level)
      }
      let discomfort = try Audiogram(points: points)
      let profile = HearingProfile(left: .n4, leftDiscomfort: discomfort)
      let outputs = try XCTUnwrap(Fitting.techLevel(3).preset(for: profile).left?.maximumOutputs)
      for (output, usual) in zip(outputs, try XCTUnwrap(usual?.maximumOutputs)) {
        XCTAssertEqual(output, usual, accuracy: 1, "\(level) dB HL")
      }
    }
    let mistyped = try Audiogram([500: 110, 1000: 11, 4000: 110])
    XCTAssertEqual(
      Audiogram.n4.discomfortLevel(at: 1000, measured: mistyped),
      Audiogram.n4.discomfortLevel(at: 1000))
  }

  func test_limitedGains_doNotListARatioLimitThatAffectsOnlyInaudibleSound() throws {
    let ear = try XCTUnwrap(Fitting.techLevel(3).preset(for: HearingProfile(left: .n5)).left)
    XCTAssertFalse(ear.limitedGains.contains { $0.limit == .ratio }, "\(ear.limitedGains)")
    XCTAssertTrue(ear.limitedGains.contains { $0.limit == .expansion })
  }
}
