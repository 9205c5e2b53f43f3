import Foundation
import XCTest

@testable import HearingFitting

final class FineTuningTests: XCTestCase {
  private let levels = PrescriptionBands.speechLevels

  private func tuned(
    _ audiogram: Audiogram, loudness: Double = 0, brightness: Double = 0, crispness: Double = 0
  ) throws -> EarPreset {
    var preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: audiogram))
    preset.fineTuning = try FineTuning(
      loudness: loudness, brightness: brightness, crispness: crispness)
    return try XCTUnwrap(preset.fineTuned.left)
  }

  func test_fineTuning_resetToNone_restoresThePreset() throws {
    let original = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3, right: .s2))
    var preset = original
    preset.fineTuning = try FineTuning(loudness: 1, brightness: -1, crispness: 0.5)
    XCTAssertNotEqual(preset, original)
    XCTAssertNotEqual(preset.id, original.id)
    XCTAssertEqual(preset.left, original.left, "the stored gains")
    XCTAssertNotEqual(preset.fineTuned.left, original.left)
    XCTAssertEqual(preset.fineTuned.fineTuned, preset.fineTuned)
    preset.fineTuning = .none
    XCTAssertEqual(preset, original)
    XCTAssertEqual(preset.fineTuned, original)
  }

  func test_loudness_neverLowersAGain_andKeepsTheMaximumOutput() throws {
    for (name, audiogram) in AcceptanceSet.audiograms {
      var before = try tuned(audiogram, loudness: -1)
      let speech = ThirdOctaveSound.speech(65)
      for loudness in stride(from: -0.75, through: 1, by: 0.25) {
        let ear = try tuned(audiogram, loudness: loudness)
        for (one, other) in zip(before.gains.joined(), ear.gains.joined()) {
          XCTAssertLessThanOrEqual(one, other, name)
        }
        XCTAssertGreaterThan(
          speech.amplified(by: ear).overall, speech.amplified(by: before).overall, name)
        XCTAssertEqual(ear.maximumOutputs, before.maximumOutputs)
        XCTAssertLessThanOrEqual(ear.gains.joined().max() ?? 0, 55)
        before = ear
      }
    }
  }

  func test_brightness_raisesHighFrequencies_andLowersLowFrequencies() throws {
    for (name, audiogram) in AcceptanceSet.audiograms {
      var before: (low: Double, high: Double)?
      for brightness in stride(from: -1.0, through: 1, by: 0.25) {
        let ear = try tuned(audiogram, brightness: brightness)
        let now = (
          low: ear.gain(at: 250, inputLevel: levels[1]),
          high: ear.gain(at: 4000, inputLevel: levels[8])
        )
        if let before {
          XCTAssertLessThanOrEqual(now.low, before.low, name)
          XCTAssertGreaterThanOrEqual(now.high, before.high, name)
          XCTAssertLessThan(now.low - now.high, before.low - before.high, name)
        }
        before = now
      }
    }
    let bright = try tuned(.n3, brightness: 1)
    let plain = try tuned(.n3)
    let change = { (frequency: Double, level: Double) in
      bright.gain(at: frequency, inputLevel: level) - plain.gain(at: frequency, inputLevel: level)
    }
    XCTAssertEqual(change(4000, 65), 6, accuracy: 1e-6)
    XCTAssertEqual(change(1000, 65), 0, accuracy: 1e-6)
    XCTAssertEqual(change(250, 60), -6, accuracy: 1e-6)
  }

  func test_crispness_raisesOnlyHighFrequencies_andKeepsTheRatioWithin3To1() throws {
    for (name, audiogram) in AcceptanceSet.audiograms {
      let (calm, plain, crisp) = (
        try tuned(audiogram, crispness: -1), try tuned(audiogram),
        try tuned(audiogram, crispness: 1)
      )
      for frequency in [250.0, 1000] {
        XCTAssertEqual(
          crisp.gain(at: frequency, inputLevel: 40), plain.gain(at: frequency, inputLevel: 40),
          accuracy: 1e-6, name)
      }
      for level in stride(from: 20.0, through: 100, by: 1) {
        let gains = [calm, plain, crisp].map { $0.gain(at: 3000, inputLevel: level) }
        XCTAssertLessThanOrEqual(gains[0], gains[1] + 1e-6, name)
        XCTAssertLessThanOrEqual(gains[1], gains[2] + 1e-6, name)
        let next = crisp.gain(at: 3000, inputLevel: level + 1)
        XCTAssertGreaterThanOrEqual(next - gains[2], -2.0 / 3 - 1e-3, "\(name) at \(level) dB SPL")
      }
    }
    let change = try tuned(.n3, crispness: 1).gain(at: 3000, inputLevel: levels[7] - 15)
    XCTAssertGreaterThan(change, try tuned(.n3).gain(at: 3000, inputLevel: levels[7] - 15) + 3)
  }

  func test_fineTuning_keepsTheGainInAQuietRoom() throws {
    for (name, audiogram) in AcceptanceSet.audiograms {
      let (plain, loud) = (
        try tuned(audiogram), try tuned(audiogram, loudness: 1, brightness: 1, crispness: 1)
      )
      for (band, frequency) in PrescriptionBands.centers.enumerated() where levels[band] > 45 {
        for level in stride(from: 0, through: ((levels[band] - 30) / 5).rounded(.down) * 5, by: 1) {
          XCTAssertEqual(
            loud.gain(at: frequency, inputLevel: level),
            plain.gain(at: frequency, inputLevel: level),
            accuracy: 1e-6, "\(name) \(frequency) Hz, \(level) dB SPL")
        }
      }
    }
  }

  func test_fineTuning_withoutLimits_neverMakesALouderInputSofter() throws {
    for standard in Audiogram.standards {
      var preset = try PrescriptionRule.fig6.preset(for: HearingProfile(left: standard.audiogram))
      for values in [[1.0, 0, 1], [-1, 1, 1], [-1, -1, -1], [0, 0, 1]] {
        preset.fineTuning = try FineTuning(
          loudness: values[0], brightness: values[1], crispness: values[2])
        let tuned = try XCTUnwrap(preset.fineTuned.left)
        for gains in tuned.gains {
          let outputs = zip(tuned.inputLevels, gains).map { $0 + $1 }
          for (soft, loud) in zip(outputs, outputs.dropFirst()) {
            XCTAssertGreaterThanOrEqual(loud, soft - 1e-5, "\(standard.name) \(values)")
          }
        }
      }
    }
  }

  func test_linearPreset_isTunedByLoudnessAndBrightness() throws {
    var preset = try Fitting.techLevel(2).preset(for: HearingProfile(left: .n3))
    let plain = try XCTUnwrap(preset.left)
    preset.fineTuning = try FineTuning(loudness: -0.5, brightness: 1, crispness: 1)
    let tuned = try XCTUnwrap(preset.fineTuned.left)
    XCTAssertEqual(
      tuned.gain(at: 4000, inputLevel: 65), plain.gain(at: 4000, inputLevel: 65) + 3, accuracy: 1e-6
    )
    XCTAssertEqual(tuned.gain(at: 1000, inputLevel: 65), plain.gain(at: 1000, inputLevel: 65) - 3)
  }

  func test_jsonData_storesTheFineTuning() throws {
    var preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n2))
    XCTAssertFalse(String(decoding: preset.jsonData(), as: UTF8.self).contains("fineTuning"))
    preset.fineTuning = try FineTuning(loudness: 0.25, brightness: -0.5, crispness: 1)
    let read = try Preset(json: preset.jsonData())
    XCTAssertEqual(read, preset)
    XCTAssertEqual(read.id, preset.id)
    let text = String(decoding: preset.jsonData(), as: UTF8.self)
      .replacingOccurrences(of: "0.25", with: "2.5")
    XCTAssertThrowsError(try Preset(json: Data(text.utf8))) {
      XCTAssertEqual(
        $0 as? UnreadableDocument,
        .invalid(position: "fineTuning.loudness", reason: "2.5 is outside -1 to 1"))
    }
  }

  func test_init_invalidValue_failsAndNamesTheField() {
    for value in [Double.nan, .infinity, 1.01, -2] {
      XCTAssertThrowsError(try FineTuning(brightness: value)) {
        XCTAssertEqual(($0 as? FineTuning.Invalid)?.position, "brightness")
      }
    }
  }

  func test_sharedPreset_appliesTheFineTuningOfEachListener() throws {
    var soft = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3))
    let loud = soft
    soft.fineTuning = try FineTuning(loudness: -1)
    let shared = try Preset.shared(by: [soft, loud])
    XCTAssertEqual(shared.fineTuning, .none)
    let expected = try XCTUnwrap(soft.fineTuned.left)
    for frequency in expected.frequencies {
      XCTAssertEqual(
        try XCTUnwrap(shared.left).gain(at: frequency, inputLevel: 60),
        expected.gain(at: frequency, inputLevel: 60), accuracy: 1e-5)
    }
  }

  func test_comparison_findsAPreferenceWithin2dB_inAtMost12Answers() throws {
    var generator = SeededGeneratorSeed.fresh(#function).generator
    for _ in 0..<300 {
      let preferred = (0..<3).map { _ in Double.random(in: -1...1, using: &generator) }
      var comparison = FineTuningComparison()
      func distance(_ tuning: FineTuning) -> Double {
        let values = [tuning.loudness, tuning.brightness, tuning.crispness]
        return zip(values, preferred).reduce(0) { $0 + abs($1.0 - $1.1) }
      }
      while let (first, second) = comparison.next {
        comparison.answer(distance(first) < distance(second) ? .first : .second)
      }
      XCTAssertLessThanOrEqual(comparison.answerCount, 12)
      XCTAssertEqual(comparison.answerCount, FineTuningComparison.maximumAnswerCount)
      let best = comparison.best
      for (value, wanted) in zip(
        [best.loudness, best.brightness, best.crispness], preferred)
      {
        XCTAssertEqual(
          FineTuning.maximumChange * value, FineTuning.maximumChange * wanted, accuracy: 2)
      }
    }
    var same = FineTuningComparison()
    for _ in 0..<3 { same.answer(.same) }
    XCTAssertNil(same.next)
    XCTAssertEqual(same.best, .none)
    same.answer(.first)
    XCTAssertEqual(same.answerCount, 3)
  }
}
