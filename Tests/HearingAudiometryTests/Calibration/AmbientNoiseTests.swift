import HearingAudiometry
import XCTest

final class AmbientNoiseTests: XCTestCase {
  func test_excess_underSupraAuralHeadphones_startsAtTheLimitsOfTheStandard() {
    let limits: [Double: Double] = [125: 28, 250: 19, 500: 18, 1000: 23, 4000: 36, 8000: 33]
    XCTAssertEqual(AmbientNoise(levels: limits).excess(attenuation: .supraAural), [:])
    let louder = AmbientNoise(levels: limits.mapValues { $0 + 3 })
    XCTAssertEqual(louder.excess(attenuation: .supraAural), limits.mapValues { _ in 3 })
  }

  func test_excess_withHigherAttenuation_isLowerByTheDifference() throws {
    let noise = AmbientNoise(levels: [1000: 36])
    XCTAssertEqual(noise.excess(attenuation: .supraAural), [1000: 13])
    // The attenuation of the HDA 200 is 29 dB instead of 15 dB.
    XCTAssertEqual(noise.excess(attenuation: .hda200), [:])
    XCTAssertEqual(noise.excess(attenuation: .none), [1000: 28])
    XCTAssertEqual(noise.excess(attenuation: .none, lowestLevel: 20), [1000: 8])
  }

  func test_excess_withHigherLowestFrequency_allowsLouderLowBands() {
    let hum = AmbientNoise(levels: [63: 60, 125: 45])
    XCTAssertEqual(hum.excess(attenuation: .supraAural), [63: 18, 125: 17])
    XCTAssertEqual(
      hum.excess(attenuation: .supraAural, lowestFrequency: 250), [63: 8, 125: 6])
    XCTAssertEqual(hum.excess(attenuation: .supraAural, lowestFrequency: 500), [:])
    XCTAssertEqual(
      AmbientNoise(levels: [63: 60]).excess(attenuation: .insertEarphones), [:])
  }

  func test_excess_bandsWithExactFrequencies_areMatchedToNominalBands() {
    // The exact frequencies of the bands 500 and 1250 Hz are 10^2.7 and 10^3.1 Hz.
    let noise = AmbientNoise(levels: [501.19: 28, 1258.9: 35, 20_000: 90, -1: 90])
    XCTAssertEqual(noise.excess(attenuation: .supraAural), [501.19: 10, 1258.9: 10])
  }

  func test_attenuations_matchTheStandard() {
    XCTAssertEqual(AmbientNoise.Attenuation.supraAural.values[4000], 32)
    XCTAssertEqual(AmbientNoise.Attenuation.hda200.values[4000], 46)
    XCTAssertEqual(AmbientNoise.Attenuation.insertEarphones.values[4000], 40)
  }

  func test_excess_levelNaN_isReported() {
    XCTAssertEqual(
      AmbientNoise(levels: [1000: .nan]).excess(attenuation: .supraAural).count, 1)
  }
}
