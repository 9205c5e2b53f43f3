import HearingDSP
import HearingVoice
import XCTest

final class OtherAudioDuckingConfigurationTests: XCTestCase {
  func test_init_byDefault_isPlainDuckingAtTheDefaultLevel() {
    let configuration = OtherAudioDuckingConfiguration()
    XCTAssertFalse(configuration.enableAdvancedDucking)
    XCTAssertEqual(configuration.duckingLevel, .default)
    XCTAssertEqual(
      configuration,
      OtherAudioDuckingConfiguration(enableAdvancedDucking: false, duckingLevel: .default))
  }

  func test_amount_matchesTheLevel_andIsAQuarterForAdvancedDuckingWithoutTalk() {
    let amounts: [OtherAudioDuckingConfiguration.Level: Double] = [
      .min: 3, .default: 10, .mid: 14, .max: 20,
    ]
    XCTAssertEqual(Set(amounts.keys), Set(OtherAudioDuckingConfiguration.Level.allCases))
    for (level, amount) in amounts {
      XCTAssertEqual(level.amount, amount)
      XCTAssertEqual(level.idleAmount, amount / 4)
      for isTalking in [false, true] {
        let plain = OtherAudioDuckingConfiguration(duckingLevel: level)
        XCTAssertEqual(plain.amount(whileSomebodyTalks: isTalking), amount)
        let advanced = OtherAudioDuckingConfiguration(
          enableAdvancedDucking: true, duckingLevel: level)
        XCTAssertEqual(
          advanced.amount(whileSomebodyTalks: isTalking), isTalking ? amount : amount / 4)
      }
    }
  }
}
