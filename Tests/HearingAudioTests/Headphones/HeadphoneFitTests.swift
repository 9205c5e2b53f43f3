import HearingDSP
import TestSupport
import XCTest

@testable import HearingAudio

final class HeadphoneFitTests: XCTestCase {
  /// A frequency response similar to that of a headphone. The response has slopes at both ends,
  /// broad deviations and narrow resonances.
  private func response(_ generator: inout SeededGenerator) throws -> FrequencyCurve {
    let tilt = Double.random(in: -4...4, using: &generator)
    let bass = Double.random(in: -10...6, using: &generator)
    var bells: [(center: Double, gain: Double, width: Double)] = []
    for _ in 0..<4 {
      bells.append(
        (
          .random(in: 6...10, using: &generator), .random(in: -5...5, using: &generator),
          .random(in: 0.6...1.5, using: &generator)
        ))
    }
    for _ in 0..<3 {
      bells.append(
        (
          .random(in: 10.5...13.5, using: &generator), .random(in: -6...8, using: &generator),
          .random(in: 0.25...0.6, using: &generator)
        ))
    }
    let octaves = (0...480).map { log2(20) + Double($0) / 48 }
    return try FrequencyCurve(
      frequencies: octaves.map { pow(2, $0) },
      levels: octaves.map { octave in
        var level = 90 + tilt * (octave - 10) / 5 + bass / (1 + exp((octave - 7) * 3))
        for bell in bells {
          let distance = (octave - bell.center) / bell.width
          level += bell.gain * exp(-distance * distance)
        }
        return level
      })
  }

  func test_fit_tenRandomResponses_leavesAnErrorOfAtMostHalfADecibel() throws {
    let count = 10
    var generator = SeededGenerator(seed: 20)
    for index in 0..<count {
      let measured = try response(&generator)
      let fit = HeadphoneCorrection.fitted(to: measured)
      print("headphone \(index): \(fit.error) dB RMS from 50 Hz to 10 kHz")
      XCTAssertLessThanOrEqual(fit.error, 0.5)
      XCTAssertEqual(fit.correction.sections.count, 10)
      let maximum = (0...400).flatMap { step in
        [48_000, 192_000].map { sampleRate in
          fit.correction.response(at: 10 * pow(2_200, Double(step) / 400), sampleRate: sampleRate)
        }
      }.max()
      XCTAssertEqual(try XCTUnwrap(maximum), 0, accuracy: 0.1)
      // The corrected response is flat, but the mean of the corrected response may differ from 0
      // dB.
      let corrected = (0...180).map { step -> Double in
        let frequency = 50 * pow(200, Double(step) / 180)
        return measured.level(at: frequency) + fit.correction.response(at: frequency)
      }
      let mean = corrected.reduce(0, +) / Double(corrected.count)
      let spread = corrected.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      XCTAssertLessThanOrEqual((spread / Double(corrected.count)).squareRoot(), 0.55)
    }
  }

  func test_fit_deepNotch_boostsNoMoreThanTheMaximumBoost() throws {
    let measured = try FrequencyCurve(
      frequencies: [20, 2_000, 3_000, 4_500, 9_000, 13_000], levels: [0, 0, -40, 0, 0, -30])
    let fit = HeadphoneCorrection.fitted(to: measured, maximumBoost: 8, maximumTrebleBoost: 3)
    for section in fit.correction.sections {
      XCTAssertLessThanOrEqual(section.gain, section.frequency > 10_000 ? 3 : 8)
    }
    // Each notch in the response needs more boost than the fit allows. Therefore the fit uses the
    // maximum boost at each notch. The preamp gain is not counted as boost.
    let boosts = [3_000.0, 13_000].map {
      fit.correction.response(at: $0) - fit.correction.preampGain
    }
    print("boosts at the notches: \(boosts) dB")
    XCTAssertEqual(boosts[0], 8, accuracy: 0.5)
    XCTAssertEqual(boosts[1], 3, accuracy: 0.5)
  }

  func test_fit_curveOfThreeSections_isReproduced() throws {
    let sections: [HeadphoneCorrection.Section] = [
      .init(.lowShelf, frequency: 100, gain: 6, quality: 0.7),
      .init(.peak, frequency: 700, gain: -4, quality: 1),
      .init(.peak, frequency: 4_000, gain: 5, quality: 2.5),
    ]
    let known = try HeadphoneCorrection(sections: sections)
    let frequencies = (0...127).map { 20 * pow(1_000, Double($0) / 127) }
    let gains = try FrequencyCurve(
      frequencies: frequencies, levels: frequencies.map { known.response(at: $0) })
    let fit = HeadphoneCorrection.fitted(gains: gains)
    print("sections found again: \(fit.error) dB RMS")
    XCTAssertLessThan(fit.error, 0.1)
  }

  func test_level_isInterpolatedBetweenPoints_andConstantBeyondThem() throws {
    let curve = try FrequencyCurve(frequencies: [100, 400], levels: [0, 10])
    XCTAssertEqual(curve.level(at: 200), 5, accuracy: 1e-9)
    XCTAssertEqual(curve.level(at: 50), 0)
    XCTAssertEqual(curve.level(at: 5_000), 10)
    XCTAssertEqual(FrequencyCurve.flat.level(at: 77), 0)
    XCTAssertThrowsError(try FrequencyCurve(frequencies: [], levels: []))
    XCTAssertThrowsError(try FrequencyCurve(frequencies: [100, 100], levels: [0, 1]))
    XCTAssertThrowsError(try FrequencyCurve(frequencies: [100], levels: [.nan]))
  }
}
