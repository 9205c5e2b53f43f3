import Foundation
import XCTest

@testable import HearingFitting

final class SpeechSpectrumTests: XCTestCase {
  func test_bandLevels_thirdOctaveAt630Hz_hasThePublishedLevel() {
    let levels = SpeechSpectrum.bandLevels(around: [500, 630, 800])
    XCTAssertEqual(levels[1], 60.5 - 5, accuracy: 1e-9)
  }

  func test_bandLevels_ofAnyLayout_addUpToTheOverallLevel() {
    let whole = SpeechSpectrum.bandLevels(around: [1000])[0]
    XCTAssertEqual(whole, 65, accuracy: 0.5)
    for centers in [PrescriptionBands.centers, [250, 1000, 4000], [62, 63, 64]] {
      let sum = SpeechSpectrum.bandLevels(around: centers).map { pow(10, $0 / 10) }.reduce(0, +)
      XCTAssertEqual(10 * log10(sum), whole, accuracy: 1e-9)
    }
  }

  func test_minimumAudibleField_isInterpolatedLinearlyInFrequency() {
    XCTAssertEqual(LevelPlane.freeField.referenceThreshold(at: 1000), 2.4)
    XCTAssertEqual(
      LevelPlane.freeField.referenceThreshold(at: 3000), -4.2 - 1.8 * 500 / 650, accuracy: 1e-12)
    XCTAssertEqual(LevelPlane.freeField.referenceThreshold(at: 8000), 12.6)
  }
}
