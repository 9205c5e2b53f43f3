import XCTest

@testable import HearingFitting

final class AssumedThresholdTests: XCTestCase {
  private func profile(at4k: Double, isNoResponse: Bool) throws -> HearingProfile {
    HearingProfile(
      left: .n2,
      right: try Audiogram(points: [
        .init(frequency: 500, threshold: 40), .init(frequency: 1000, threshold: 50),
        .init(frequency: 2000, threshold: 65),
        .init(frequency: 4000, threshold: at4k, isNoResponse: isNoResponse),
      ]))
  }

  func test_noResponse_isFittedLikeAThreshold5DecibelsHigher() throws {
    let silent = try profile(at4k: 85, isNoResponse: true)
    let measured = try profile(at4k: 90, isNoResponse: false)
    for (level, program) in [(1, Program.speech), (2, .music), (3, .speech), (3, .music)] {
      let fitting = Fitting(techLevel: level, program: program)
      let preset = try fitting.preset(for: silent)
      let expected = try fitting.preset(for: measured)
      XCTAssertEqual(preset.left, expected.left)
      let ear = try XCTUnwrap(preset.right)
      XCTAssertEqual(ear.gains, expected.right?.gains)
      XCTAssertEqual(ear.maximumOutputs, expected.right?.maximumOutputs)
      XCTAssertEqual(
        ear.assumedThresholds, [AssumedThreshold(frequency: 4000, tested: 85, assumed: 90)])
      XCTAssertNotEqual(preset.id, expected.id)
    }
  }

  func test_measuredThresholds_areFittedWithoutAnAssumption() throws {
    let known = try profile(at4k: 85, isNoResponse: false)
    let preset = try Fitting.techLevel(3).preset(for: known)
    XCTAssertEqual(preset.right?.assumedThresholds, [])
    XCTAssertEqual(
      preset.right,
      try PrescriptionRule.comfortableSpeech.preset(for: known, limits: .standard).right)
  }

  func test_assumedThreshold_staysWithinTheValidRange() throws {
    for (tested, assumed) in [(112.0, 117.0), (118, 120), (120, nil)] {
      let ear = try Fitting.techLevel(3).preset(
        for: profile(at4k: tested, isNoResponse: true)
      ).right
      XCTAssertEqual(ear?.assumedThresholds.map(\.assumed), assumed.map { [$0] } ?? [])
    }
  }

  func test_rulesAndAverages_forNoResponse_useTheTestedLevel() throws {
    let silent = try profile(at4k: 85, isNoResponse: true)
    XCTAssertEqual(silent.right?.pureToneAverage, (40 + 50 + 65 + 85) / 4)
    let known = try profile(at4k: 85, isNoResponse: false)
    XCTAssertEqual(
      try PrescriptionRule.nalR.preset(for: silent), try PrescriptionRule.nalR.preset(for: known))
  }

  func test_presetAsJSON_keepsTheAssumedThresholds() throws {
    for level in 1...3 {
      let preset = try Fitting.techLevel(level).preset(
        for: profile(at4k: 85, isNoResponse: true))
      let same = try Preset(json: preset.jsonData())
      XCTAssertEqual(same, preset)
      XCTAssertEqual(same.id, preset.id)
      XCTAssertEqual(same.right?.assumedThresholds.count, 1)
      XCTAssertEqual(
        try same.right?.replacingMaximumOutput(90).assumedThresholds.count, 1)
    }
  }

  func test_assumedThreshold_above80dB_givesMoreGainWithNALRP_butLessWithComfortableSpeech() throws
  {
    let silent = try profile(at4k: 85, isNoResponse: true)
    let tested = try profile(at4k: 85, isNoResponse: false)
    for (level, isMore) in [(2, true), (3, false)] {
      let gains = try [silent, tested].map {
        try XCTUnwrap(Fitting.techLevel(level).preset(for: $0).right).gain(at: 4000, inputLevel: 50)
      }
      XCTAssertEqual(gains[0] > gains[1], isMore, "\(gains)")
    }
  }
}
