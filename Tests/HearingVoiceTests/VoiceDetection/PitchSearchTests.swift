import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class PitchSearchTests: XCTestCase {
  /// The strength and the frequency in Hz of the pitch at the end of `samples`. The sample rate is
  /// 8 kHz.
  private func search(_ samples: [Float]) -> (strength: Float, frequency: Double) {
    var search = PitchSearch()
    let memory = OwnedRow<Float>.filled(0, count: samples.count + 16)
    let sound = memory.from(16)
    sound.write(samples)
    for start in stride(from: 0, to: samples.count - 79, by: 80) { search.add(sound.from(start)) }
    return (search.strength, 4_000 / exp2(Double(search.period)))
  }

  /// A sound with four harmonics. Their amplitudes decrease as in a voice.
  private func voice(_ frequency: Double) -> [Float] {
    (0..<1_600).map { (index: Int) -> Float in
      let phase: Double = 2 * Double.pi * frequency * Double(index) / 8_000
      var sum = 0.0
      for harmonic in [1.0, 2, 3, 4] { sum += 0.1 / harmonic * cos(harmonic * phase) }
      return Float(sum)
    }
  }

  func test_add_harmonics_findsTheFundamentalFrequencyAndNoMultiple() {
    for frequency in [78.0, 100, 133, 180, 240, 310, 350] {
      let found = search(voice(frequency))
      XCTAssertGreaterThan(found.strength, 0.8, "\(frequency) Hz")
      XCTAssertEqual(found.frequency, frequency, accuracy: 0.04 * frequency)
    }
  }

  func test_add_noise_findsNoPeriod() {
    var generator = SeededGenerator(seed: 83)
    for _ in 0..<10 {
      XCTAssertLessThan(search(Signals.noise(count: 1_600, using: &generator)).strength, 0.6)
    }
  }

  func test_add_silence_findsNoPeriod() {
    XCTAssertEqual(search(Signals.silence(1_600)).strength, 0)
  }

  func test_add_noiseAfterSilence_givesAStrengthOfAtMost1() {
    var generator = SeededGenerator(seed: 86)
    for start in stride(from: 1_200, through: 1_590, by: 13) {
      for quiet: Float in [0, 1e-7, 1e-5] {
        var sound = Signals.noise(count: 1_600, using: &generator)
        for index in 0..<start { sound[index] *= quiet }
        XCTAssertLessThan(search(sound).strength, 1.001, "from \(start), after \(quiet)")
      }
    }
  }
}
