import Foundation
import XCTest

@testable import HearingFitting

final class SpeechAudibilityTests: XCTestCase {
  func test_speechIntelligibilityIndex_ofNormalHearing_isNearlyOne() throws {
    let normal = try Audiogram([250: 0, 1000: 0, 8000: 0])
    XCTAssertGreaterThan(normal.speechIntelligibilityIndex(), 0.98)
  }

  func test_speechIntelligibilityIndex_isLowerForMoreHearingLoss_andForSoftSpeech() {
    let audiograms: [Audiogram] = [.n1, .n2, .n3, .n4, .n5, .n6, .n7]
    let indices = audiograms.map { $0.speechIntelligibilityIndex() }
    XCTAssertEqual(indices, indices.sorted(by: >))
    XCTAssertEqual(indices.last ?? 1, 0, accuracy: 1e-9)
    for audiogram in audiograms.prefix(4) {
      let soft = audiogram.speechIntelligibilityIndex(speechLevel: 50)
      XCTAssertLessThan(soft, audiogram.speechIntelligibilityIndex())
    }
  }

  /// For a flat hearing loss of 50 dB, the audibility of each band can be calculated by hand. It is
  /// (E − D + 15) / 30. E is the speech level and D is the disturbance level, both in dB.
  func test_speechIntelligibilityIndex_ofAFlatLoss_agreesWithHandCalculation() throws {
    let flat = try Audiogram([1000: 50])
    // At 1 kHz, E is 25.01 + 2.65 = 27.66 and D is −12.5 + 50 = 37.5. Therefore the audibility is
    // (27.66 − 37.5 + 15) / 30 = 0.172. The other bands are calculated in the same way. The first
    // number of each band is its importance.
    let bands: [(Double, Double, Double)] = [
      (0.0083, 32.41, 0.6), (0.0095, 34.48, -1.7), (0.0150, 34.75, -3.9), (0.0289, 33.98, -6.1),
      (0.0440, 34.59, -8.2), (0.0578, 34.27, -9.7), (0.0653, 32.06, -10.8), (0.0711, 28.30, -11.9),
      (0.0818, 25.01, -12.5), (0.0844, 23.00, -13.5), (0.0882, 20.15, -15.4),
      (0.0898, 17.32, -17.7), (0.0868, 13.18, -21.2), (0.0844, 11.55, -24.2),
      (0.0771, 9.33, -25.9), (0.0527, 5.31, -23.6), (0.0364, 2.59, -15.8), (0.0185, 1.13, -7.1),
    ]
    let expected = bands.reduce(0) { sum, band in
      sum + band.0 * min(max((band.1 + 2.65 - band.2 - 50 + 15) / 30, 0), 1)
    }
    XCTAssertEqual(flat.speechIntelligibilityIndex(), expected, accuracy: 1e-6)
  }

  func test_speechIntelligibilityIndex_inLouderNoise_isLower() {
    let quiet = Audiogram.n1.speechIntelligibilityIndex()
    let indices = [60.0, 15, 5, 0, -5, -15].map {
      Audiogram.n1.speechIntelligibilityIndex(signalToNoise: $0)
    }
    XCTAssertEqual(indices[0], quiet, accuracy: 1e-6)
    XCTAssertEqual(indices, indices.sorted(by: >))
    // If a listener has no hearing loss, the audibility of each band at a signal-to-noise ratio of
    // 5 dB is (5 + 15) / 30. The spread of masking changes this slightly.
    XCTAssertEqual(indices[2], 0.6, accuracy: 0.1)
    XCTAssertEqual(indices[5], 0, accuracy: 0.02)
  }

  func test_speechIntelligibilityIndex_throughThePreset_isHigher() throws {
    for audiogram in [Audiogram.n2, .n3, .n4, .s2] {
      let preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: audiogram))
      let before = audiogram.speechIntelligibilityIndex()
      let after = audiogram.speechIntelligibilityIndex(through: preset.left)
      XCTAssertGreaterThan(after, before + 0.1)
    }
  }

  /// The expected indices were computed from output that was measured with a processor.
  func test_speechIntelligibilityIndex_withMeasuredDiscomfort_agreesWithTheMeasuredOutput()
    throws
  {
    let flat = try Audiogram([250: 60, 8000: 60])
    for (level, measured) in [(80.0, 0.047), (85, 0.198), (90, 0.348), (95, 0.476)] {
      let discomfort = try Audiogram([250: level, 8000: level])
      let profile = HearingProfile(left: flat, leftDiscomfort: discomfort)
      let preset = try Fitting.techLevel(3).preset(for: profile)
      XCTAssertEqual(
        flat.speechIntelligibilityIndex(through: preset.left), measured, accuracy: 0.02, "\(level)")
    }
  }

  /// The preset has a gain of 50 dB at every frequency.
  func test_thirdOctaves_stayBelowTheMaximumOutputs() throws {
    func level(speech: Double, ear: Double, bands: [Double]?) throws -> (band: Double, sum: Double)
    {
      let preset = try EarPreset(
        frequencies: [500, 2000], inputLevels: [65], gains: [[50], [50]], maximumOutput: ear,
        maximumOutputs: bands)
      let levels = SpeechAudibility.thirdOctaves(through: preset, speechLevel: speech)
      let sum = levels.reduce(0) { $0 + pow(10, $1.level / 10) }
      return (levels.first { $0.frequency == 2000 }?.level ?? .nan, 10 * log10(sum))
    }
    let unlimited = try level(speech: 30, ear: 111, bands: nil)
    // In the band at 2 kHz, the spectrum level of speech at 62.35 dB SPL is 17.32 dB. The band is
    // 462 Hz wide, and the gain is 50 dB.
    let expected: Double = 17.32 + 10 * log10(462) + 50 - 32.35
    XCTAssertEqual(unlimited.band, expected, accuracy: 1e-6, "not limited")
    // Speech with an overall level of 30 dB SPL has a level of 10.9 dB SPL in the band around 2
    // kHz.
    let band = try level(speech: 30, ear: 111, bands: [111, 60])
    let input = PrescriptionBands.speechLevels[6] - 35
    let limited: Double = unlimited.band - (input + 50 - (60 - 12))
    XCTAssertEqual(band.band, limited, accuracy: 1e-6)
    XCTAssertEqual(try level(speech: 80, ear: 100, bands: nil).sum, 100 - 12, accuracy: 1e-6)
  }
}
