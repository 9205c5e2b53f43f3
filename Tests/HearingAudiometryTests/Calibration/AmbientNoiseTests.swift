import HearingAudiometry
import XCTest

final class AmbientNoiseTests: XCTestCase {
  func test_excess_underSupraAuralHeadphones_startsAtTheLimitsOfTheStandard() {
    let limits: [Double: Double] = [125: 28, 250: 19, 500: 18, 1000: 23, 4000: 36, 8000: 33]
    XCTAssertEqual(AmbientNoise(levels: limits).excess(attenuation: .supraAural), [:])
    let louder = AmbientNoise(levels: limits.mapValues { $0 + 3 })
    XCTAssertEqual(louder.excess(attenuation: .supraAural), limits.mapValues { _ in 3 })
  }

  func test_excess_underABetterHeadphone_allowsAsMuchMore() throws {
    let noise = AmbientNoise(levels: [1000: 36])
    XCTAssertEqual(noise.excess(attenuation: .supraAural), [1000: 13])
    // 28.5 dB instead of 15 dB.
    XCTAssertEqual(noise.excess(attenuation: .hda200), [:])
    XCTAssertEqual(noise.excess(attenuation: .none), [1000: 28])
    XCTAssertEqual(noise.excess(attenuation: .none, lowestLevel: 20), [1000: 8])
  }

  func test_excess_ofALevelThatIsNoNumber_isNotQuiet() {
    XCTAssertEqual(
      AmbientNoise(levels: [1000: .nan]).excess(attenuation: .supraAural).count, 1)
  }
}
