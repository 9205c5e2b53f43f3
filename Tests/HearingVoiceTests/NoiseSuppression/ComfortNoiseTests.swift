import Foundation
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

/// Tests the comfort noise during far-end talk. In these tests, echo suppression removes the
/// complete microphone signal.
final class ComfortNoiseTests: XCTestCase {
  private let rate = 16_000.0

  /// The mean power in each frequency bin, over frames of 32 ms.
  private func spectrum(_ samples: ArraySlice<Float>) -> [Double] {
    var sum = [Double](repeating: 0, count: 257)
    for start in stride(from: samples.startIndex, to: samples.endIndex - 512, by: 512) {
      for (bin, power) in Spectrum.powers(of: samples[start..<start + 512]).enumerated() {
        sum[bin] += power
      }
    }
    return sum
  }

  private func uplink(
    _ mode: MicrophoneMode
  ) throws -> (noise: [Float], uplink: [Float]) {
    let far = SyntheticVoice.speech(seconds: 16, rate: rate, seed: 31)
    var generator = SeededGenerator(seed: 32)
    let noise = Signals.noise(count: far.count, amplitude: 2e-3, using: &generator)
    // For the first second, the far end is silent.
    let played = Signals.silence(16_000) + far.dropLast(16_000)
    let echo = Signals.silence(400) + played.dropLast(400).map { 0.6 * $0 }
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = mode
    let call = TestCall(
      frames: far.count, microphone: Signals.sum(echo, noise), farVoice: played)
    return (noise, call.rendered(by: processor).uplink)
  }

  func test_wideSpectrum_duringFarTalk_keepsTheSpectrumOfTheRoomNoise() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let (noise, output) = try uplink(.wideSpectrum)
    let (expected, actual) = (spectrum(noise[100_000...]), spectrum(output[100_000...]))
    for octaveThird in 0..<14 {
      let center = 250 * pow(2, Double(octaveThird) / 3)
      let bins = Int((center * 0.89 / 31.25).rounded(.up))...Int(center * 1.12 / 31.25)
      let ratio = bins.reduce(0) { $0 + actual[$1] } / bins.reduce(0) { $0 + expected[$1] }
      let difference = 10 * log10(ratio)
      print("\(Int(center)) Hz: \(difference) dB")
      XCTAssertEqual(difference, 0, accuracy: 2, "\(center) Hz")
    }
  }

  /// While the far voice is loud, the processor removes room noise together with the echo. Between
  /// the words of the far voice, the room noise passes.
  func test_withoutComfortNoise_duringFarTalk_lowersTheRoomNoise() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    var mode = MicrophoneMode.wideSpectrum
    mode.addsComfortNoise = false
    let (noise, output) = try uplink(mode)
    let (expected, actual) = (spectrum(noise[100_000...]), spectrum(output[100_000...]))
    XCTAssertLessThan(actual.reduce(0, +), 0.85 * expected.reduce(0, +))
  }
}
