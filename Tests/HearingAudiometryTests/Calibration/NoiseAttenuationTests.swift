import HearingAudiometry
import XCTest

final class NoiseAttenuationTests: XCTestCase {
  func test_excess_underSupraAuralHeadphones_isTheLevelAboveTheLimitsOfTheStandard() {
    let limits: [Double: Double] = [125: 28, 250: 19, 500: 18, 1000: 23, 4000: 36, 8000: 33]
    let attenuation = NoiseAttenuation.supraAural
    XCTAssertEqual(attenuation.excess(of: limits), [:])
    let louder = limits.mapValues { $0 + 3 }
    XCTAssertEqual(attenuation.excess(of: louder), limits.mapValues { _ in 3 })
  }

  func test_excess_withHigherAttenuation_isLowerByTheDifference() throws {
    let noise: [Double: Double] = [1000: 36]
    XCTAssertEqual(NoiseAttenuation.supraAural.excess(of: noise), [1000: 13])
    // At 1 kHz, the HDA 200 attenuates noise by 29 dB, and a supra-aural headphone by 15 dB.
    XCTAssertEqual(NoiseAttenuation.hda200.excess(of: noise), [:])
    XCTAssertEqual(NoiseAttenuation.none.excess(of: noise), [1000: 28])
    XCTAssertEqual(NoiseAttenuation.none.excess(of: noise, lowestLevel: 20), [1000: 8])
  }

  func test_excess_withAHigherMinimumTestFrequency_allowsLouderLowBands() {
    let hum: [Double: Double] = [63: 60, 125: 45]
    XCTAssertEqual(NoiseAttenuation.supraAural.excess(of: hum), [63: 18, 125: 17])
    XCTAssertEqual(
      NoiseAttenuation.supraAural.excess(of: hum, lowestFrequency: 250), [63: 8, 125: 6])
    XCTAssertEqual(NoiseAttenuation.supraAural.excess(of: hum, lowestFrequency: 500), [:])
    XCTAssertEqual(
      NoiseAttenuation.insertEarphones.excess(of: [63: 60]), [:])
  }

  func test_excess_atExactBandFrequencies_usesTheLimitsOfTheNominalBands() {
    // The bands 500 Hz and 1250 Hz have the exact frequencies 10^2.7 Hz and 10^3.1 Hz.
    let noise: [Double: Double] = [501.19: 28, 1258.9: 35, 20_000: 90]
    XCTAssertEqual(NoiseAttenuation.supraAural.excess(of: noise), [501.19: 10, 1258.9: 10])
  }

  func test_excess_aboveTheBandsOfTheStandard_usesTheLimitOfTheHighestBand() {
    let noise: [Double: Double] = [10_000: 43, 12_500: 33, 15_849: 90]
    XCTAssertEqual(NoiseAttenuation.supraAural.excess(of: noise), [10_000: 10, 15_849: 57])
  }

  func test_excess_atInvalidFrequenciesOrFrequenciesInKilohertz_isInfinite() throws {
    let noise: [Double: Double] = [0.125: 20, 1: 20, 8: 20, 0: 20, -1000: 20, .infinity: 20]
    XCTAssertEqual(
      NoiseAttenuation.supraAural.excess(of: noise), noise.mapValues { _ in .infinity })
    XCTAssertEqual(NoiseAttenuation.none.excess(of: [.nan: 20]).count, 1)
    let high: [Double: Double] = [1: 20, 8: 20, 10: 20, 12.5: 20, 16: 20, 20: 20]
    XCTAssertEqual(NoiseAttenuation.none.excess(of: high), high.mapValues { _ in .infinity })
    // A sound level meter also measures infrasonic bands. Noise in these bands has no limit.
    let infrasonic: [Double: Double] = [6.3: 90, 8: 90, 10: 90, 12.5: 90, 20: 90, 1000: 5]
    XCTAssertEqual(NoiseAttenuation.none.excess(of: infrasonic), [:])
    var test = try ToneTest(method: .bayesian, calibration: .uncalibrated(), seed: 1)
    test.note(ambientNoise: [1: 70], attenuation: .supraAural)
    XCTAssertEqual(test.pauseReason, .ambientNoise)
  }

  /// The expected attenuations are those of ISO 8253-1, table 3.
  func test_attenuations_atTheFrequenciesOfAudiometry_matchTheStandard() {
    let frequencies: [Double] = [63, 125, 250, 500, 1000, 2000, 4000, 8000]
    for (attenuation, expected) in [
      (NoiseAttenuation.supraAural, [1.0, 3, 5, 7, 15, 26, 32, 24]),
      (.hda200, [17, 15, 16, 23, 29, 32, 46, 44]),
      (.insertEarphones, [33, 33, 36, 38, 37, 33, 40, 43]),
    ] {
      XCTAssertEqual(frequencies.map { attenuation.values[$0] }, expected)
      XCTAssertEqual(attenuation.values.count, 25)
    }
  }

  /// The expected limits are those of ISO 8253-1, table 2, for a supra-aural headphone.
  func test_excess_inEveryBand_usesTheLimitsForTheLowestTestFrequency() {
    let bands: [Double] = [
      31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600,
      2000, 2500, 3150, 4000, 5000, 6300, 8000,
    ]
    let high: [Double] = [20, 23, 25, 27, 30, 32, 34, 36, 35, 34, 33]
    for (lowestFrequency, low) in [
      (125.0, [56.0, 52, 47, 42, 38, 33, 28, 23, 20, 19, 18, 18, 18, 18]),
      (250, [66, 62, 57, 52, 48, 43, 39, 30, 20, 19, 18, 18, 18, 18]),
      (500, [78, 73, 68, 64, 59, 55, 51, 47, 42, 37, 33, 24, 18, 18]),
    ] {
      let limits = Dictionary(uniqueKeysWithValues: zip(bands, low + high))
      let attenuation = NoiseAttenuation.supraAural
      XCTAssertEqual(attenuation.excess(of: limits, lowestFrequency: lowestFrequency), [:])
      XCTAssertEqual(
        attenuation.excess(of: limits.mapValues { $0 + 1 }, lowestFrequency: lowestFrequency),
        limits.mapValues { _ in 1 })
    }
  }

  func test_excess_levelNaN_isReported() {
    XCTAssertEqual(
      NoiseAttenuation.supraAural.excess(of: [1000: .nan]).count, 1)
  }
}
