import TestSupport
import XCTest

@testable import HearingDSP

final class EqualizerDesignTests: XCTestCase {
  func test_sectionGains_allZero_areExactlyZero() {
    for layout in [BandLayout.audiometric, .octave, .thirdOctave] {
      var design = EqualizerDesign(layout: layout, sampleRate: 48_000)
      let bands = layout.centers.count
      XCTAssertEqual(
        design.sectionGains(for: Array(repeating: 0, count: bands)), SectionGains(bandCount: bands))
    }
  }

  func test_sectionGains_equalGains_useTheBroadbandStage() {
    var design = EqualizerDesign(layout: .audiometric, sampleRate: 48_000)
    let gains = design.sectionGains(for: Array(repeating: 12, count: 10))
    XCTAssertEqual(gains.broadband, 12, accuracy: 0.5)
    XCTAssertLessThan(gains.bells.map(abs).max() ?? 0, 0.5)
  }

  func test_response_meetsEveryStandardAudiogramsPrescription() {
    // NAL-R and half gain for N1…N7 and S1…S3 at the audiometric centres.
    let audiograms: [[Double]] = [
      [10, 10, 10, 10, 10, 15, 20, 30, 40, 40], [20, 20, 22.5, 25, 30, 35, 40, 45, 50, 50],
      [35, 35, 35, 40, 45, 50, 55, 60, 65, 65], [55, 55, 55, 55, 60, 65, 70, 75, 80, 80],
      [65, 70, 72.5, 75, 80, 80, 80, 80, 80, 80], [75, 80, 82.5, 85, 90, 90, 95, 100, 100, 100],
      [90, 95, 100, 105, 105, 105, 105, 105, 105, 105], [10, 10, 10, 10, 10, 15, 30, 55, 70, 70],
      [20, 20, 22.5, 25, 35, 55, 75, 95, 95, 95], [30, 35, 47.5, 60, 70, 75, 80, 80, 85, 85],
    ]
    let constants = [-17.0, -8, -3, 1, 1, -1, -2, -2, -2, -2]
    var design = EqualizerDesign(layout: .audiometric, sampleRate: 48_000)
    let centers = BandLayout.audiometric.centers
    var worst = 0.0
    for thresholds in audiograms {
      let mean = (thresholds[1] + thresholds[3] + thresholds[5]) / 3
      let nalR = zip(thresholds, constants).map { max(0, 0.15 * mean + 0.31 * $0 + $1) }
      let halfGain = thresholds.map { $0 / 2 }
      for gains in [nalR, halfGain] {
        let sections = design.sectionGains(for: gains)
        for (center, gain) in zip(centers, gains) {
          worst = max(worst, abs(design.response(of: sections, at: center) - gain))
        }
        for (frequency, gain) in [(125.0, gains[0]), (12_000, gains[9])] {
          XCTAssertEqual(design.response(of: sections, at: frequency), gain, accuracy: 0.5)
        }
      }
    }
    print("standard audiograms: within \(worst) dB at the centres")
    XCTAssertLessThan(worst, 0.05)
  }
}
