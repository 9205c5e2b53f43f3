import TestSupport
import XCTest

@testable import HearingDSP

final class EqualizerDesignTests: XCTestCase {
  func test_sectionGains_allTargetsZero_areExactlyZero() {
    for layout in [BandLayout.audiometric, .octave, .thirdOctave] {
      var design = EqualizerDesign(layout: layout, sampleRate: 48_000)
      let bands = layout.centers.count
      XCTAssertEqual(
        design.sectionGains(for: Array(repeating: 0, count: bands)), SectionGains(bandCount: bands))
    }
  }

  func test_sectionGains_equalTargets_useTheBroadbandGain() {
    var design = EqualizerDesign(layout: .audiometric, sampleRate: 48_000)
    let gains = design.sectionGains(for: Array(repeating: 12, count: 10))
    XCTAssertEqual(gains.broadband, 12, accuracy: 0.5)
    XCTAssertLessThan(gains.bells.map(abs).max() ?? 0, 0.5)
  }

  func test_response_ofPrescriptionsForStandardAudiograms_meetsTheGainAtEveryCenter() {
    // The thresholds of the standard audiograms N1…N7 and S1…S3 at the audiometric band centres.
    // The gains are prescribed with the rules NAL-R and half-gain.
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

  func test_sectionGains_cookieBiteReverseSlopesAndAlternatingGains_reachTheirTargets() {
    var design = EqualizerDesign(layout: .audiometric, sampleRate: 48_000)
    let targets: [[Double]] = [
      [5, 15, 30, 45, 60, 60, 45, 30, 15, 5], [5, 5, 5, 60, 60, 60, 5, 5, 5, 5],
      [60, 50, 40, 30, 20, 10, 5, 0, 0, 0], [0, 30, 0, 30, 0, 30, 0, 30, 0, 30],
    ]
    for gains in targets {
      let sections = design.sectionGains(for: gains)
      for (center, gain) in zip(BandLayout.audiometric.centers, gains) {
        XCTAssertEqual(design.response(of: sections, at: center), gain, accuracy: 0.05)
      }
      XCTAssertLessThan(design.residuals.map(abs).max() ?? 1, 0.05)
    }
  }

  func test_sectionGains_randomTargetsUpToThirtyDecibelsAnOctave_reachThem() {
    var design = EqualizerDesign(layout: .audiometric, sampleRate: 48_000)
    let centers = BandLayout.audiometric.centers
    var (worst, worstSeed) = (0.0, UInt64(0))
    for seed in RandomProcessing.seeds(count: 2_000) {
      var generator = SeededGenerator(seed: seed)
      var gain = Double.random(in: 0...60, using: &generator)
      var gains = [gain]
      for (low, high) in zip(centers, centers.dropFirst()) {
        let slope = Double.random(in: -30...30, using: &generator)
        gain = min(max(gain + slope * CMath.binaryLogarithm(high / low), 0), 60)
        gains.append(gain)
      }
      let sections = design.sectionGains(for: gains)
      for (center, gain) in zip(centers, gains) {
        let miss = abs(design.response(of: sections, at: center) - gain)
        if !(miss <= worst) { (worst, worstSeed) = (miss, seed) }
      }
    }
    print("random targets: within \(worst) dB at the centres; the worst has seed \(worstSeed)")
    XCTAssertLessThan(worst, 0.05)
  }

  func test_residuals_ofUnreachableTargets_areTargetMinusResponse() throws {
    let layout = try BandLayout(centers: [1_000, 1_001])
    var design = EqualizerDesign(layout: layout, sampleRate: 48_000)
    let sections = design.sectionGains(for: [60, -60])
    for (band, gain) in [60.0, -60].enumerated() {
      let reached = design.response(of: sections, at: layout.centers[band])
      XCTAssertEqual(gain - reached, design.residuals[band], accuracy: 1e-6)
    }
    XCTAssertGreaterThan(abs(design.residuals[0]), 1)
  }
}
