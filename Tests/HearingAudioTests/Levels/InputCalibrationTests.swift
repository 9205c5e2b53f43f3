import HearingAudio
import SignalTestSupport
import XCTest

final class InputCalibrationTests: XCTestCase {
  private func activeLevel() throws -> Double? {
    let noise = Signals.noise(count: 64_000, rms: 0.05, seed: 1)
    return try ActiveSpeechLevel.measure(MemoryFrameSource([noise], sampleRate: 16_000)).reading?
      .activeLevel
  }

  func test_fullScale_mapsTheActiveLevelToTheGivenLevel() throws {
    let activeLevel = try XCTUnwrap(activeLevel())
    let fullScale = InputCalibration.conversation.fullScaleSPL(activeLevel: activeLevel)
    XCTAssertEqual(fullScale + activeLevel, 65, accuracy: 1e-9)
    XCTAssertEqual(fullScale, 65 + 26.02, accuracy: 0.1)
    XCTAssertEqual(
      InputCalibration.activeLevelSPL(80).fullScaleSPL(activeLevel: activeLevel), fullScale + 15,
      accuracy: 1e-9)
  }

  func test_fullScale_withoutActiveSound_is100dBSPL() {
    XCTAssertEqual(InputCalibration.conversation.fullScaleSPL(activeLevel: nil), 100)
  }

  func test_fullScale_givenByTheCaller_overridesTheMeasuredLevel() throws {
    XCTAssertEqual(
      InputCalibration.fullScaleSPL(94).fullScaleSPL(activeLevel: try activeLevel()), 94)
    XCTAssertEqual(InputCalibration.fullScaleSPL(94).fullScaleSPL(activeLevel: nil), 94)
  }
}
