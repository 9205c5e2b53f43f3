import Foundation
import HearingAudiometry
import SignalTestSupport
import XCTest

final class DigitRecordingsTests: XCTestCase {
  /// Ten tones with different levels and lengths. They replace recordings of spoken digits.
  private func recordings() throws -> DigitRecordings {
    let digits = (0..<10).map { (digit: Int) -> [Float] in
      Signals.sine(
        440, rate: 8_000, count: 2_000 + 300 * digit, amplitude: 0.02 * Double(digit + 1))
    }
    return try DigitRecordings(samples: digits, sampleRate: 8_000)
  }

  func test_soundOfATriplet_hasTheRequestedSignalToNoiseRatio() throws {
    let recordings = try recordings()
    for ratio in [20.0, 30] {
      let triplet = (digits: [4, 7, 2], signalToNoise: ratio)
      let sound = recordings.sound(of: triplet, noiseLevel: -30, seed: 2)
      // Before the first digit, there is only noise.
      XCTAssertEqual(Signals.rmsLevel(sound.prefix(4_000)), -30, accuracy: 1.5)
      let loud = Signals.rmsLevel(sound[4_000..<6_000])
      XCTAssertEqual(loud, -30 + ratio + 10 * log10(1 + pow(10, -ratio / 10)), accuracy: 1)
    }
  }

  func test_soundOfATriplet_containsEachDigitAtItsPositionWithTheRequestedLevel() throws {
    let counts = (0..<10).map { 2_000 + 300 * $0 }
    let frequencies = (0..<10).map { 400.0 + 250 * Double($0) }
    let recordings = try DigitRecordings(
      samples: (0..<10).map {
        Signals.sine(
          frequencies[$0], rate: 8_000, count: counts[$0], amplitude: 0.02 * Double($0 + 1))
      }, sampleRate: 8_000)
    for first in 0..<10 {
      let digits = [first, (first + 3) % 10, (first + 7) % 10]
      let sound = recordings.sound(of: (digits, 30), noiseLevel: -40, seed: UInt64(first))
      // The noise begins 0.5 s before the first digit. A pause of 0.15 s follows each digit.
      var start = 4_000
      for digit in digits {
        let place = sound[start..<start + counts[digit]]
        XCTAssertEqual(Signals.rmsLevel(place), -10, accuracy: 0.2, "\(digit) of \(digits)")
        XCTAssertEqual(
          Signals.decibels(Signals.tone(frequencies[digit], in: place, rate: 8_000)), -7,
          accuracy: 0.5, "\(digit) of \(digits)")
        start += counts[digit]
        XCTAssertEqual(Signals.rmsLevel(sound[start..<start + 1_200]), -40, accuracy: 6)
        start += 1_200
      }
      XCTAssertEqual(sound.count, start + 4_000)
    }
  }

  func test_noise_hasTheLevelAndTheSpectrumOfTheDigits() throws {
    let noise = try recordings().noise(count: 40_000, seed: 3)
    XCTAssertEqual(Signals.rmsLevel(noise), 0, accuracy: 0.01)
    func power(at frequency: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for (index, sample) in noise.enumerated() {
        real += Double(sample) * cos(2 * .pi * frequency * Double(index) / 8_000)
        imaginary += Double(sample) * sin(2 * .pi * frequency * Double(index) / 8_000)
      }
      return real * real + imaginary * imaginary
    }
    XCTAssertGreaterThan(power(at: 440), 1000 * power(at: 1500))
  }

  func test_invalidRecordings_throwTypedErrors() {
    func error(_ samples: [[Float]], rate: Double = 8_000) -> HearingTestError? {
      do {
        _ = try DigitRecordings(samples: samples, sampleRate: rate)
        return nil
      } catch {
        return error
      }
    }
    let good = [[Float]](repeating: [0.1, 0.2], count: 10)
    XCTAssertNil(error(good))
    XCTAssertEqual(error(good.dropLast()), .digitCount(9))
    XCTAssertEqual(error(good, rate: 1), .sampleRate(1))
    for bad in [[], [0, 0], [.nan], [Float](repeating: 0.1, count: 50_000)] {
      XCTAssertEqual(error(good.dropLast() + [bad]), .digit(9))
    }
  }
}
