import Foundation
import XCTest

@testable import HearingFitting

final class EarPresetTests: XCTestCase {
  private func preset(
    frequencies: [Double] = [500, 2000], inputLevels: [Double] = [40, 80],
    gains: [[Double]] = [[10, 4], [30, 12]], attackTimes: [Double]? = nil,
    releaseTimes: [Double]? = nil, maximumOutput: Double = 105
  ) throws(EarPreset.Invalid) -> EarPreset {
    try EarPreset(
      frequencies: frequencies, inputLevels: inputLevels, gains: gains, attackTimes: attackTimes,
      releaseTimes: releaseTimes, maximumOutput: maximumOutput)
  }

  private func assertInvalid(
    _ expected: EarPreset.Invalid, line: UInt = #line,
    _ body: () throws(EarPreset.Invalid) -> EarPreset
  ) {
    do {
      _ = try body()
      XCTFail("no error", line: line)
    } catch {
      XCTAssertEqual(error, expected, line: line)
      XCTAssertFalse(error.description.contains("\n"), line: line)
    }
  }

  func test_gain_isLinearOnLogFrequencyAndLevel() throws {
    let preset = try preset()
    XCTAssertEqual(preset.gain(at: 500, inputLevel: 40), 10)
    XCTAssertEqual(preset.gain(at: 2000, inputLevel: 80), 12)
    XCTAssertEqual(preset.gain(at: 1000, inputLevel: 40), 20, accuracy: 1e-12)
    XCTAssertEqual(preset.gain(at: 500, inputLevel: 60), 7, accuracy: 1e-12)
    XCTAssertEqual(preset.gain(at: 1000, inputLevel: 60), 14, accuracy: 1e-12)
  }

  func test_gain_outsideTheTable_isConstant() throws {
    let preset = try preset()
    XCTAssertEqual(preset.gain(at: 20, inputLevel: -.infinity), 10)
    XCTAssertEqual(preset.gain(at: 20_000, inputLevel: .infinity), 12)
    XCTAssertEqual(preset.gain(at: .infinity, inputLevel: 0), 30)
  }

  func test_gain_betweenFrequenciesWithEqualLogarithms_isOneOfTheirGains() throws {
    let low = try XCTUnwrap(
      stride(from: 10_000.0, to: 11_000, by: 1).first { log2($0) == log2($0.nextUp.nextUp) })
    let middle = low.nextUp
    let preset = try EarPreset(frequencies: [low, middle.nextUp], gains: [10, 30])
    XCTAssertTrue((10...30).contains(preset.gain(at: middle, inputLevel: 65)))
    XCTAssertTrue((10...30).contains(preset.curve(at: middle).points[0].gain))
  }

  func test_initLinear_hasOneLevelWithoutEffect() throws {
    let preset = try EarPreset(frequencies: [500, 2000], gains: [10, 30])
    XCTAssertEqual(preset.inputLevels.count, 1)
    XCTAssertFalse(preset.isLevelDependent)
    XCTAssertEqual(preset.gain(at: 1000, inputLevel: 0), 20, accuracy: 1e-12)
    XCTAssertEqual(preset.gain(at: 1000, inputLevel: 120), 20, accuracy: 1e-12)
    XCTAssertEqual(preset.attackTimes, [0.005, 0.005])
    XCTAssertEqual(preset.releaseTimes, [0.1, 0.1])
    XCTAssertEqual(preset.maximumOutput, 105)
  }

  func test_init_wrongCounts_nameTheRow() {
    assertInvalid(.noFrequencies) { () throws(EarPreset.Invalid) in
      try preset(frequencies: [], gains: [])
    }
    assertInvalid(.noInputLevels) { () throws(EarPreset.Invalid) in
      try preset(inputLevels: [], gains: [[], []])
    }
    assertInvalid(.wrongRowCount(1, expected: 2)) { () throws(EarPreset.Invalid) in
      try preset(gains: [[1, 2]])
    }
    assertInvalid(.wrongGainCount(row: 1, 1, expected: 2)) { () throws(EarPreset.Invalid) in
      try preset(gains: [[1, 2], [3]])
    }
    assertInvalid(.wrongAttackTimeCount(1, expected: 2)) { () throws(EarPreset.Invalid) in
      try preset(attackTimes: [0.005])
    }
    assertInvalid(.wrongReleaseTimeCount(3, expected: 2)) { () throws(EarPreset.Invalid) in
      try preset(releaseTimes: [0.1, 0.1, 0.1])
    }
  }

  func test_init_tooMany_namesTheLimit() throws {
    let levels = (0...1000).map { Double($0) / 10 }
    assertInvalid(.tooManyInputLevels(count: 1001)) { () throws(EarPreset.Invalid) in
      try preset(frequencies: [500], inputLevels: levels, gains: [levels.map { _ in 1 }])
    }
    let frequencies = (1...101).map { Double($0) }
    let thousand = Array(levels.dropLast())
    assertInvalid(.tooManyGains(frequencies: 101, inputLevels: 1000)) {
      () throws(EarPreset.Invalid) in
      try preset(
        frequencies: frequencies, inputLevels: thousand,
        gains: frequencies.map { _ in thousand.map { _ in 1 } })
    }
  }

  func test_init_notRising_namesTheIndex() {
    assertInvalid(.frequencyNotRising(1, 500)) { () throws(EarPreset.Invalid) in
      try preset(frequencies: [500, 500])
    }
    assertInvalid(.inputLevelNotRising(1, 30)) { () throws(EarPreset.Invalid) in
      try preset(inputLevels: [40, 30])
    }
  }

  func test_init_outOfRange_namesIndexAndValue() {
    assertInvalid(.frequencyOutOfRange(0, 0)) { () throws(EarPreset.Invalid) in
      try preset(frequencies: [0, 500])
    }
    assertInvalid(.inputLevelOutOfRange(1, 151)) { () throws(EarPreset.Invalid) in
      try preset(inputLevels: [40, 151])
    }
    assertInvalid(.gainOutOfRange(row: 1, level: 0, 60.1)) { () throws(EarPreset.Invalid) in
      try preset(gains: [[10, 4], [60.1, 12]])
    }
    assertInvalid(.gainOutOfRange(row: 0, level: 1, -0.1)) { () throws(EarPreset.Invalid) in
      try preset(gains: [[10, -0.1], [30, 12]])
    }
    assertInvalid(.attackTimeOutOfRange(1, 0)) { () throws(EarPreset.Invalid) in
      try preset(attackTimes: [0.005, 0])
    }
    assertInvalid(.releaseTimeOutOfRange(0, 11)) { () throws(EarPreset.Invalid) in
      try preset(releaseTimes: [11, 1])
    }
  }

  func test_init_notFinite_failsEverywhere() {
    for value in [Double.nan, .infinity, -.infinity, 1e308, -1e308] {
      XCTAssertThrowsError(try preset(frequencies: [value, 2000]))
      XCTAssertThrowsError(try preset(frequencies: [500, value]))
      XCTAssertThrowsError(try preset(inputLevels: [40, value]))
      XCTAssertThrowsError(try preset(gains: [[10, 4], [value, 12]]))
      XCTAssertThrowsError(try preset(attackTimes: [0.005, value]))
      XCTAssertThrowsError(try preset(releaseTimes: [value, 0.1]))
      XCTAssertThrowsError(try preset(maximumOutput: value))
    }
  }

  func test_init_maximumOutput_hasLimitByKind() throws {
    XCTAssertEqual(try preset(maximumOutput: 117).maximumOutput, 117)
    assertInvalid(.maximumOutputOutOfRange(117.5, limit: 117)) { () throws(EarPreset.Invalid) in
      try preset(maximumOutput: 117.5)
    }
    assertInvalid(.maximumOutputOutOfRange(0, limit: 117)) { () throws(EarPreset.Invalid) in
      try preset(maximumOutput: 0)
    }
    XCTAssertEqual(
      try EarPreset(frequencies: [1000], gains: [10], maximumOutput: 111).maximumOutput, 111)
    assertInvalid(.maximumOutputOutOfRange(112, limit: 111)) { () throws(EarPreset.Invalid) in
      try EarPreset(frequencies: [1000], gains: [10], maximumOutput: 112)
    }
  }
}
