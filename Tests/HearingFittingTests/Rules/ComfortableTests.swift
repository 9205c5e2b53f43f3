import Foundation
import XCTest

@testable import HearingFitting

final class ComfortableTests: XCTestCase {
  func test_comfortableSpeech_atAverageSpeech_isTheDocumentedMixture() {
    for standard in Audiogram.standards {
      for (band, frequency) in PrescriptionBands.centers.enumerated().dropLast() {
        let level = PrescriptionBands.speechLevels[band]
        let loss = standard.audiogram.threshold(at: frequency)
        let camfit = PrescriptionRule.camfitLinear.insertionGain(
          for: standard.audiogram, at: frequency, inputLevel: level)
        let nal = PrescriptionRule.nalRP.insertionGain(
          for: standard.audiogram, at: frequency, inputLevel: level)
        let fade = min(max((loss - 10) / 10, 0), 1)
        // 3.8 dB up to 500 Hz, 5.75 dB from 1.5 kHz.
        let extra = 3.8 + 1.95 * min(max(log2(frequency / 500) / log2(3), 0), 1)
        let expected = 0.7 * camfit + 0.3 * nal + extra * fade - 0.48 * max(0, loss - 90)
        XCTAssertEqual(
          PrescriptionRule.comfortableSpeech.insertionGain(
            for: standard.audiogram, at: frequency, inputLevel: level),
          min(max(0, expected), 47, 105 - level), accuracy: 1e-9, standard.name)
      }
    }
  }

  func test_versions_tellTheGainsApart() throws {
    XCTAssertEqual(PrescriptionRule.comfortableSpeech.version, 2)
    XCTAssertEqual(PrescriptionRule.comfortableMusic.version, 1)
    let preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3))
    XCTAssertEqual(preset.ruleVersion, 2)
    // A preset of an earlier version keeps its gains.
    var earlier = preset
    earlier.ruleVersion = 1
    let read = try Preset(json: earlier.jsonData())
    XCTAssertEqual(read.left, preset.left)
    XCTAssertEqual(read.ruleVersion, 1)
    XCTAssertNotEqual(read.id, preset.id)
  }

  func test_comfortableRules_compressAtMostAsDocumented() {
    let cases: [(PrescriptionRule, Double)] = [(.comfortableSpeech, 2), (.comfortableMusic, 1.5)]
    for (rule, ratio) in cases {
      for standard in Audiogram.standards {
        for frequency in [250.0, 1000, 4000] {
          for level in stride(from: 30.0, to: 80, by: 1) {
            let (before, after) = (
              rule.insertionGain(for: standard.audiogram, at: frequency, inputLevel: level),
              rule.insertionGain(for: standard.audiogram, at: frequency, inputLevel: level + 1)
            )
            guard level + 1 + after < 104.9 else { continue }
            XCTAssertGreaterThanOrEqual(after - before, 1 / ratio - 1 - 1e-9)
            XCTAssertLessThanOrEqual(after, before)
          }
        }
      }
    }
  }

  func test_preset_hasNoGainInAQuietRoom() throws {
    let profile = HearingProfile(left: .n3)
    let ear = try XCTUnwrap(PrescriptionRule.comfortableSpeech.preset(for: profile).left)
    for (band, frequency) in PrescriptionBands.centers.enumerated() {
      let level = PrescriptionBands.speechLevels[band] - 40
      guard level >= 0 else { continue }
      XCTAssertEqual(ear.gain(at: frequency, inputLevel: level), 0, accuracy: 1e-6)
    }
  }

  func test_curve_isTheRuleAboveTheKnee() throws {
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
