import XCTest

@testable import HearingFitting

final class EarPresetCurveTests: XCTestCase {
  func test_curve_ofALinearPreset_hasOnePoint() throws {
    let preset = try EarPreset(frequencies: [500, 2000], gains: [10, 30])
    let curve = preset.curve(at: 1000)
    XCTAssertEqual(curve.points.map(\.gain), [20])
    XCTAssertEqual(curve.attackTime, 0.005)
    XCTAssertEqual(curve.releaseTime, 0.1)
  }

  func test_toneGain_isLimitedByTheMaximumOutputs_andMultipliedByTheIntensity() throws {
    let preset = try EarPreset(
      frequencies: [500, 2000], inputLevels: [40, 80], gains: [[30, 30], [30, 30]],
      attackTimes: [0.005, 0.005], releaseTimes: [0.1, 0.1], maximumOutput: 100,
      maximumOutputs: [100, 85])
    XCTAssertEqual(preset.toneGain(at: 500, inputLevel: 50), 30)
    XCTAssertEqual(preset.toneGain(at: 500, inputLevel: 50, intensity: 0.5), 15)
    XCTAssertEqual(preset.toneGain(at: 500, inputLevel: 80), 20)
    XCTAssertEqual(preset.toneGain(at: 2000, inputLevel: 80), 5)
    XCTAssertEqual(preset.toneGain(at: 2000, inputLevel: 80, intensity: 0.5), 5)
    XCTAssertEqual(preset.toneGain(at: 2000, inputLevel: 90), -5)
  }

  func test_curve_betweenFrequencies_interpolatesGainsAndTimes() throws {
    let preset = try EarPreset(
      frequencies: [500, 2000], inputLevels: [40, 60, 80], gains: [[10, 8, 4], [30, 24, 12]],
      attackTimes: [0.002, 0.004], releaseTimes: [0.1, 0.3])
    let curve = preset.curve(at: 1000)
    XCTAssertEqual(curve.points.map(\.inputLevel), [40, 60, 80])
    XCTAssertEqual(curve.points.map(\.gain), [20, 16, 8])
    XCTAssertEqual(curve.attackTime, 0.003, accuracy: 1e-12)
    XCTAssertEqual(curve.releaseTime, 0.2, accuracy: 1e-12)
  }

  func test_curve_omitsPointsOnStraightLines() throws {
    let preset = try EarPreset(
      frequencies: [500], inputLevels: [0, 20, 40, 60, 80, 100], gains: [[0, 20, 40, 40, 40, 30]])
    XCTAssertEqual(preset.curve(at: 500).points.map(\.inputLevel), [0, 40, 80, 100])
    let flat = try EarPreset(
      frequencies: [500], inputLevels: [0, 20, 40], gains: [[7, 7, 7]])
    XCTAssertEqual(flat.curve(at: 100).points.map(\.gain), [7])
  }

  func test_curve_ofRandomPresets_equalsTheGainAtEveryLevel() throws {
    var generator = SeededGeneratorSeed.fresh(#function).generator
    for _ in 0..<200 {
      let levels = Set((0..<40).map { _ in Double(Int.random(in: 0...120, using: &generator)) })
        .sorted()
      let gains = (0..<3).map { _ in
        levels.map { _ in Double(Int.random(in: 20...22, using: &generator)) }
      }
      let preset = try EarPreset(
        frequencies: [250, 1000, 4000], inputLevels: levels, gains: gains)
      try assertCurveIsGain(of: preset, at: .random(in: 100...8000, using: &generator))
    }
  }

  func test_curve_ofStandardAudiograms_equalsTheGainWithAtMost8Points() throws {
    for standard in Audiogram.standards {
      for rule in [PrescriptionRule.camfitCompressive, .fig6] {
        let preset = try XCTUnwrap(
          rule.preset(for: HearingProfile(left: standard.audiogram)).left)
        for frequency in PrescriptionBands.centers {
          try assertCurveIsGain(of: preset, at: frequency)
          XCTAssertLessThanOrEqual(preset.curve(at: frequency).points.count, 8)
        }
      }
    }
  }

  private func assertCurveIsGain(of preset: EarPreset, at frequency: Double) throws {
    let curve = preset.curve(at: frequency)
    let levels = curve.points.map(\.inputLevel)
    XCTAssertEqual(levels, Set(levels).sorted())
    let line = PiecewiseLine(x: levels, y: curve.points.map(\.gain))
    for level in stride(from: -10.0, through: 130, by: 0.25) {
      XCTAssertEqual(
        line.value(at: level), preset.gain(at: frequency, inputLevel: level), accuracy: 1.1e-5)
    }
  }
}
