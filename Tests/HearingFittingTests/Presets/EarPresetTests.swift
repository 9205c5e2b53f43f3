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
    _ position: String, _ reason: String, line: UInt = #line,
    _ body: () throws(EarPreset.Invalid) -> EarPreset
  ) {
    do {
      _ = try body()
      XCTFail("no error", line: line)
    } catch {
      XCTAssertEqual(error, EarPreset.Invalid(position: position, reason: reason), line: line)
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

  func test_gain_betweenFrequenciesWithEqualLogarithms_staysBetweenTheirGains() throws {
    let low = try XCTUnwrap(
      stride(from: 10_000.0, to: 11_000, by: 1).first { log2($0) == log2($0.nextUp.nextUp) })
    let middle = low.nextUp
    let preset = try EarPreset(frequencies: [low, middle.nextUp], gains: [10, 30])
    XCTAssertTrue((10...30).contains(preset.gain(at: middle, inputLevel: 65)))
    XCTAssertTrue((10...30).contains(preset.curve(at: middle).points[0].gain))
  }

  func test_initLinear_hasOneInputLevel_andTheSameGainAtEveryLevel() throws {
    let preset = try EarPreset(frequencies: [500, 2000], gains: [10, 30])
    XCTAssertEqual(preset.inputLevels.count, 1)
    XCTAssertFalse(preset.isLevelDependent)
    XCTAssertEqual(preset.gain(at: 1000, inputLevel: 0), 20, accuracy: 1e-12)
    XCTAssertEqual(preset.gain(at: 1000, inputLevel: 120), 20, accuracy: 1e-12)
    XCTAssertEqual(preset.attackTimes, [0.005, 0.005])
    XCTAssertEqual(preset.releaseTimes, [0.1, 0.1])
    XCTAssertEqual(preset.maximumOutput, 105)
  }

  func test_init_wrongCounts_failsAndNamesTheField() {
    assertInvalid("frequencies", "at least one value is needed") {
      () throws(EarPreset.Invalid) in
      try preset(frequencies: [], gains: [])
    }
    assertInvalid("inputLevels", "at least one value is needed") {
      () throws(EarPreset.Invalid) in
      try preset(inputLevels: [], gains: [[], []])
    }
    assertInvalid("gains", "1 entries for 2 frequencies") { () throws(EarPreset.Invalid) in
      try preset(gains: [[1, 2]])
    }
    assertInvalid("gains[1]", "1 gains for 2 input levels") { () throws(EarPreset.Invalid) in
      try preset(gains: [[1, 2], [3]])
    }
    assertInvalid("attackTimes", "1 entries for 2 frequencies") {
      () throws(EarPreset.Invalid) in
      try preset(attackTimes: [0.005])
    }
    assertInvalid("releaseTimes", "3 entries for 2 frequencies") {
      () throws(EarPreset.Invalid) in
      try preset(releaseTimes: [0.1, 0.1, 0.1])
    }
  }

  func test_init_tooManyLevelsOrGains_failsAndNamesTheLimit() throws {
    let levels = (0...1000).map { Double($0) / 10 }
    assertInvalid("inputLevels", "1001 input levels, but at most 1000 are allowed") {
      () throws(EarPreset.Invalid) in
      try preset(frequencies: [500], inputLevels: levels, gains: [levels.map { _ in 1 }])
    }
    let frequencies = (1...101).map { Double($0) }
    let thousand = Array(levels.dropLast())
    assertInvalid(
      "frequencies", "101 frequencies and 1000 input levels make more than 100000 gains"
    ) {
      () throws(EarPreset.Invalid) in
      try preset(
        frequencies: frequencies, inputLevels: thousand,
        gains: frequencies.map { _ in thousand.map { _ in 1 } })
    }
  }

  func test_init_valuesNotIncreasing_failsAndNamesTheIndex() {
    assertInvalid("frequencies[1]", "500 Hz is not above the value before it") {
      () throws(EarPreset.Invalid) in
      try preset(frequencies: [500, 500])
    }
    assertInvalid("inputLevels[1]", "30 dB SPL is not above the value before it") {
      () throws(EarPreset.Invalid) in
      try preset(inputLevels: [40, 30])
    }
  }

  func test_init_valueOutOfRange_failsAndNamesIndexAndValue() {
    assertInvalid("frequencies[0]", "0 Hz is outside 1 to 100000 Hz") {
      () throws(EarPreset.Invalid) in
      try preset(frequencies: [0, 500])
    }
    assertInvalid("inputLevels[1]", "151 dB SPL is outside -50 to 150 dB SPL") {
      () throws(EarPreset.Invalid) in
      try preset(inputLevels: [40, 151])
    }
    assertInvalid("gains[1][0]", "60.1 dB is outside 0 to 60 dB") { () throws(EarPreset.Invalid) in
      try preset(gains: [[10, 4], [60.1, 12]])
    }
    assertInvalid("gains[0][1]", "-0.1 dB is outside 0 to 60 dB") { () throws(EarPreset.Invalid) in
      try preset(gains: [[10, -0.1], [30, 12]])
    }
    assertInvalid("attackTimes[1]", "0 s is outside 0.0001 to 10 s") {
      () throws(EarPreset.Invalid) in
      try preset(attackTimes: [0.005, 0])
    }
    assertInvalid("releaseTimes[0]", "11 s is outside 0.0001 to 10 s") {
      () throws(EarPreset.Invalid) in
      try preset(releaseTimes: [11, 1])
    }
  }

  func test_init_nonFiniteValueInAnyField_fails() {
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

  func test_init_maximumOutput_isAtMost117dB_or111dBForLinearPresets() throws {
    XCTAssertEqual(try preset(maximumOutput: 117).maximumOutput, 117)
    assertInvalid("maximumOutput", "117.5 dB SPL is not above 0 and at most 117 dB SPL") {
      () throws(EarPreset.Invalid) in
      try preset(maximumOutput: 117.5)
    }
    assertInvalid("maximumOutput", "0 dB SPL is not above 0 and at most 117 dB SPL") {
      () throws(EarPreset.Invalid) in
      try preset(maximumOutput: 0)
    }
    XCTAssertEqual(
      try EarPreset(frequencies: [1000], gains: [10], maximumOutput: 111).maximumOutput, 111)
    assertInvalid("maximumOutput", "112 dB SPL is not above 0 and at most 111 dB SPL") {
      () throws(EarPreset.Invalid) in
      try EarPreset(frequencies: [1000], gains: [10], maximumOutput: 112)
    }
  }
}
