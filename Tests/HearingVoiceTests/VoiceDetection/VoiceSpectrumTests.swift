import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class VoiceSpectrumTests: XCTestCase {
  func test_analyze_noise_agreesWithAReferenceTransform() {
    var generator = SeededGenerator(seed: 82)
    let noise = Signals.noise(count: 256, using: &generator)
    let spectrum = VoiceSpectrum()
    let samples = OwnedRow(copying: noise)
    spectrum.analyze(samples.row)

    var real = noise.enumerated().map { index, sample in
      Double(sample) * (0.5 - 0.5 * cos(2 * .pi * (Double(index) + 0.5) / 256))
    }
    var imaginary = Array(repeating: 0.0, count: 256)
    Spectrum.transform(&real, &imaginary)
    for line in 1..<128 {
      let expected =
        (real[line] * real[line] + imaginary[line] * imaginary[line]) * 2 / (256 * 256 * 0.375)
      XCTAssertEqual(
        Double(spectrum.power[line]), expected, accuracy: 1e-6 * (1e-2 + expected), "line \(line)")
    }
  }

  func test_analyze_tone_powersSumToItsMeanSquare() {
    let spectrum = VoiceSpectrum()
    let samples = OwnedRow(copying: Signals.sine(1_000, rate: 8_000, count: 256, amplitude: 0.2))
    spectrum.analyze(samples.row)
    let sum = (0..<128).reduce(0) { $0 + Double(spectrum.power[$1]) }
    XCTAssertEqual(sum, 0.02, accuracy: 0.0002)
  }
}
