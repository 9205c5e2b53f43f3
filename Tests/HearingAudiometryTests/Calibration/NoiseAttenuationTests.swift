import HearingAudiometry
import XCTest

final class NoiseAttenuationTests: XCTestCase {
  func test_excess_underSupraAuralHeadphones_startsAtTheLimitsOfTheStandard() {
    let limits: [Double: Double] = [125: 28, 250: 19, 500: 18, 1000: 23, 4000: 36, 8000: 33]
    let attenuation = NoiseAttenuation.supraAural
    XCTAssertEqual(attenuation.excess(of: limits), [:])
    let louder = limits.mapValues { $0 + 3 }
    XCTAssertEqual(attenuation.excess(of: louder), limits.mapValues { _ in 3 })
  }

  func test_excess_withHigherAttenuation_isLowerByTheDifference() throws {
    let noise: [Double: Double] = [1000: 36]
    XCTAssertEqual(NoiseAttenuation.supraAural.excess(of: noise), [1000: 13])
    // The attenuation of the HDA 200 is 29 dB instead of 15 dB.
    XCTAssertEqual(NoiseAttenuation.hda200.excess(of: noise), [:])
    XCTAssertEqual(NoiseAttenuation.none.excess(of: noise), [1000: 28])
    XCTAssertEqual(NoiseAttenuation.none.excess(of: noise, lowestLevel: 20), [1000: 8])
  }

  func test_excess_withHigherLowestFrequency_allowsLouderLowBands() {
    let hum: [Double: Double] = [63: 60, 125: 45]
    XCTAssertEqual(NoiseAttenuation.supraAural.excess(of: hum), [63: 18, 125: 17])
    XCTAssertEqual(
      NoiseAttenuation.supraAural.excess(of: hum, lowestFrequency: 250), [63: 8, 125: 6])
    XCTAssertEqual(NoiseAttenuation.supraAural.excess(of: hum, lowestFrequency: 500), [:])
    XCTAssertEqual(
      NoiseAttenuation.insertEarphones.excess(of: [63: 60]), [:])
  }

  func test_excess_bandsWithExactFrequencies_areMatchedToNominalBands() {
    // The exact frequencies of the bands 500 and 1250 Hz are 10^2.7 and 10^3.1 Hz.
    let noise: [Double: Double] = [501.19: 28, 1258.9: 35, 20_000: 90, -1: 90]
    XCTAssertEqual(NoiseAttenuation.supraAural.excess(of: noise), [501.19: 10, 1258.9: 10])
  }

  func test_attenuations_at4kHz_matchTheStandard() {
    XCTAssertEqual(NoiseAttenuation.supraAural.values[4000], 32)
    XCTAssertEqual(NoiseAttenuation.hda200.values[4000], 46)
    XCTAssertEqual(NoiseAttenuation.insertEarphones.values[4000], 40)
  }

  func test_excess_levelNaN_isReported() {
    XCTAssertEqual(
      NoiseAttenuation.supraAural.excess(of: [1000: .nan]).count, 1)
  }
}
