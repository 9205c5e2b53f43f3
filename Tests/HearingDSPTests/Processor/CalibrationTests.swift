import HearingDSP
import XCTest

final class CalibrationTests: XCTestCase {
  func test_peakAmplitude_ofASineAtFullScale_isTheSquareRootOfTwo() {
    let calibration = Calibration()
    XCTAssertEqual(calibration.fullScaleSPL, 100)
    XCTAssertEqual(calibration.peakAmplitude(ofSineAt: 100), 2.0.squareRoot(), accuracy: 1e-12)
    XCTAssertEqual(
      calibration.peakAmplitude(ofSineAt: 80), 0.1 * 2.0.squareRoot(), accuracy: 1e-12)
    XCTAssertEqual(
      Calibration(fullScaleSPL: 120).peakAmplitude(ofSineAt: 100), 0.1 * 2.0.squareRoot(),
      accuracy: 1e-12)
  }
}
