import Foundation
import XCTest

@testable import HearingFitting

final class ComfortableTests: XCTestCase {
  func test_comfortableSpeechRule_atTheLevelOfAverageSpeech_hasTheDocumentedGain() throws {
    for (name, audiogram) in AcceptanceSet.audiograms {
      for (band, frequency) in PrescriptionBands.centers.enumerated() where frequency <= 4000 {
        let level = PrescriptionBands.speechLevels[band]
        let loss = audiogram.threshold(at: frequency)
        let camfit = PrescriptionRule.camfitLinear.insertionGain(
          for: audiogram, at: frequency, inputLevel: level)
        let nal = PrescriptionRule.nalRP.insertionGain(
          for: audiogram, at: frequency, inputLevel: level)
        let fade = min(max((loss - 20) / 20, 0), 1)
        // The extra gain is 3.8 dB up to 500 Hz and 5.75 dB from 1.5 kHz on.
        let extra = 3.8 + 1.95 * min(max(log2(frequency / 500) / log2(3), 0), 1)
        let severe = 0.15 * min(max(loss - 60, 0), 20) - 0.65 * max(0, loss - 80)
        let expected = 0.7 * camfit + 0.3 * nal + extra * fade + severe
        XCTAssertEqual(
          PrescriptionRule.comfortableSpeech.insertionGain(
            for: audiogram, at: frequency, inputLevel: level),
          max(0, min(expected, 5 + 1.2 * (loss - 20))), accuracy: 1e-9, "\(name) \(frequency) Hz")
      }
    }
  }

  func test_insertionGain_lossAbove4kHz_isLimitedToTheLossAt4kHz() throws {
    let (rising, flat) = (
      try Audiogram([1000: 40, 4000: 60, 6000: 90, 8000: 100]), try Audiogram([1000: 40, 4000: 60])
    )
    for rule in [PrescriptionRule.comfortableSpeech, .comfortableMusic] {
      for frequency in [2000.0, 4000, 6000, 8000] {
        XCTAssertEqual(
          rule.insertionGain(for: rising, at: frequency, inputLevel: 50),
          rule.insertionGain(for: flat, at: frequency, inputLevel: 50), accuracy: 1e-9)
      }
      let falling = try Audiogram([1000: 40, 4000: 60, 6000: 30, 8000: 30])
      XCTAssertLessThan(
        rule.insertionGain(for: falling, at: 6000, inputLevel: 50),
        rule.insertionGain(for: flat, at: 6000, inputLevel: 50))
    }
  }

  func test_ruleVersions_are4_andPresetsOfEarlierVersionsKeepTheirGains() throws {
    XCTAssertEqual(PrescriptionRule.comfortableSpeech.version, 4)
    XCTAssertEqual(PrescriptionRule.comfortableMusic.version, 4)
    let preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3))
    XCTAssertEqual(preset.ruleVersion, 4)
    // If a preset was made with an earlier version of its rule, it keeps its gains.
    var earlier = preset
    earlier.ruleVersion = 1
    let read = try Preset(json: earlier.jsonData())
    XCTAssertEqual(read.left, preset.left)
    XCTAssertEqual(read.ruleVersion, 1)
    XCTAssertNotEqual(read.id, preset.id)
  }

  func test_insertionGain_changesByLessThanTheThresholdAt2kHz() throws {
    for rule in [PrescriptionRule.comfortableSpeech, .comfortableMusic] {
      for frequency in PrescriptionBands.centers {
        let gains = try stride(from: 80.0, through: 120, by: 1).map { loss in
          rule.insertionGain(
            for: try Audiogram([250: 70, 500: 80, 1000: 85, 2000: loss, 4000: 95]), at: frequency,
            inputLevel: 60)
        }
        for (gain, next) in zip(gains, gains.dropFirst()) {
          XCTAssertEqual(gain, next, accuracy: 1, "\(rule) \(frequency) Hz")
        }
      }
    }
    // If the threshold at 2 kHz is not between 90 and 95 dB HL, the gain for music is the gain of
    // the rule NAL-RP.
    for loss in [90.0, 95] {
      let audiogram = try Audiogram([250: 70, 500: 75, 1000: 80, 2000: loss, 4000: 80])
      XCTAssertEqual(
        PrescriptionRule.comfortableMusic.insertionGain(
          for: audiogram, at: 500, inputLevel: PrescriptionBands.speechLevels[2]),
        PrescriptionRule.nalRP.insertionGain(for: audiogram, at: 500, inputLevel: 60),
        accuracy: 1e-9)
    }
  }

  func test_comfortableRules_compressAtMostAsDocumented() {
    let cases: [(PrescriptionRule, Double)] = [(.comfortableSpeech, 3), (.comfortableMusic, 1.1)]
    for (rule, ratio) in cases {
      for standard in Audiogram.standards {
        for frequency in [250.0, 1000, 4000] {
          for level in stride(from: 30.0, to: 80, by: 1) {
            let (before, after) = (
              rule.insertionGain(for: standard.audiogram, at: frequency, inputLevel: level),
              rule.insertionGain(for: standard.audiogram, at: frequency, inputLevel: level + 1)
            )
            guard after > 0 else { continue }
            XCTAssertGreaterThanOrEqual(after - before, 1 / ratio - 1 - 1e-9)
            XCTAssertLessThanOrEqual(after, before)
          }
        }
      }
    }
  }

  func test_preset_hasNoGainInAQuietRoom() throws {
    let profile = HearingProfile(left: .n3)
    let ear = try XCTUnwrap(Fitting.techLevel(3).preset(for: profile).left)
    for (band, frequency) in PrescriptionBands.centers.enumerated() {
      let level = PrescriptionBands.speechLevels[band] - 40
      guard level >= 0 else { continue }
      XCTAssertEqual(ear.gain(at: frequency, inputLevel: level), 0, accuracy: 1e-6)
    }
  }

  func test_presetGain_aboveTheKnee_isTheGainOfTheRule() throws {
    for rule in [PrescriptionRule.comfortableSpeech, .comfortableMusic] {
      for standard in Audiogram.standards {
        let profile = HearingProfile(left: standard.audiogram)
        let ear = try XCTUnwrap(rule.preset(for: profile).left)
        for (band, frequency) in PrescriptionBands.centers.enumerated() {
          for level in stride(from: PrescriptionBands.speechLevels[band], to: 119, by: 1.7) {
            XCTAssertEqual(
              ear.gain(at: frequency, inputLevel: level),
              rule.insertionGain(for: standard.audiogram, at: frequency, inputLevel: level),
              accuracy: 1e-4, "\(standard.name) \(frequency) Hz \(level)")
          }
        }
      }
    }
  }
}
