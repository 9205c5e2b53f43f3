import HearingAudio
import SignalTestSupport
import XCTest

final class InputCalibrationTests: XCTestCase {
  private func reading() throws -> ActiveSpeechLevel.Reading? {
    let noise = Signals.noise(count: 64_000, rms: 0.05, seed: 1)
    return try ActiveSpeechLevel.measure(MemoryFrameSource([noise], sampleRate: 16_000)).reading
  }

  func test_fullScale_mapsTheActiveLevelToTheGivenLevel() throws {
    let reading = try XCTUnwrap(reading())
    let fullScale = InputCalibration.conversation.fullScaleSPL(of: reading)
    XCTAssertEqual(fullScale + reading.activeLevel, 65, accuracy: 1e-9)
    XCTAssertEqual(fullScale, 65 + 26.02, accuracy: 0.1)
    XCTAssertEqual(
      InputCalibration.activeLevelSPL(80).fullScaleSPL(of: reading), fullScale + 15,
      accuracy: 1e-9)
  }

  func test_noActiveSound_assumesAFullScaleOf100() {
    XCTAssertEqual(InputCalibration.conversation.fullScaleSPL(of: nil), 100)
  }

  func test_givenFullScale_overridesTheMeasurement() throws {
    XCTAssertEqual(InputCalibration.fullScaleSPL(94).fullScaleSPL(of: try reading()), 94)
    XCTAssertEqual(InputCalibration.fullScaleSPL(94).fullScaleSPL(of: nil), 94)
  }
}
