import Foundation
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

/// Tests noise suppression with recorded speech. The network was not trained with this talker.
final class RecordedSpeechTests: XCTestCase {
  private let rate = 16_000.0

  /// One second of silence, followed by two repetitions of the recording. The recording has an RMS
  /// of about 0.05.
  private func speech() throws -> [Float] {
    let url = try XCTUnwrap(
      Bundle.module.url(
        forResource: "recorded-speech", withExtension: "wav"))
    // The file has a header of 44 bytes, followed by 16-bit samples.
    let bytes = Array(try Data(contentsOf: url).dropFirst(44))
    let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Float(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / 32_768
    }
    let power = samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)
    let scaled = samples.map { $0 * 0.05 / power.squareRoot() }
    return Signals.silence(16_000) + scaled + scaled
  }

  /// The signal after noise suppression at full strength, shifted back by the latency of the
  /// suppressor.
  private func suppressed(_ signal: [Float], rate: Double = 16_000) throws -> [Float] {
    var suppressor = try NoiseSuppressor(sampleRate: rate)
    var samples = signal + Signals.silence(suppressor.latency)
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      suppressor.process(start, frameCount: buffer.count)
    }
    return Array(samples.dropFirst(suppressor.latency))
  }

  /// Measures how similar a signal is to the clean signal. Both signals are divided into third
  /// octaves of 150 Hz…4.8 kHz and frames of 32 ms. The result is the mean correlation of their
  /// envelopes. Source: I. Holube & B. Kollmeier, The Journal of the Acoustical Society of America
  /// 100, 1996.
  private func likeness(_ samples: ArraySlice<Float>, to clean: ArraySlice<Float>) -> Double {
    let (made, wanted) = (envelopes(Array(samples)), envelopes(Array(clean)))
    let correlations = zip(made, wanted).map { x, y in
      let count = Double(x.count)
      let (meanX, meanY) = (x.reduce(0, +) / count, y.reduce(0, +) / count)
      var (cross, powerX, powerY) = (0.0, 1e-20, 1e-20)
      for (valueX, valueY) in zip(x, y) {
        cross += (valueX - meanX) * (valueY - meanY)
        powerX += (valueX - meanX) * (valueX - meanX)
        powerY += (valueY - meanY) * (valueY - meanY)
      }
      return cross / (powerX * powerY).squareRoot()
    }
    return correlations.reduce(0, +) / Double(correlations.count)
  }

  /// The envelopes of 15 third octaves. The first index is the band, and the second is the frame.
  private func envelopes(_ samples: [Float]) -> [[Double]] {
    var bands = [[Double]](repeating: [], count: 15)
    for start in stride(from: 0, through: samples.count - 512, by: 256) {
      let powers = Spectrum.powers(of: samples[start..<start + 512])
      for band in bands.indices {
        let center = 150 * pow(2, Double(band) / 3)
        let first = Int((center * 0.89 / 31.25).rounded())
        let last = max(first, Int((center * 1.12 / 31.25).rounded()) - 1)
        let power = powers[first...last].reduce(0, +)
        bands[band].append(power.squareRoot())
      }
    }
    return bands
  }

  /// Several kinds of noise. Each has the same RMS as the speech.
  private func noises(count: Int) -> [(name: String, samples: [Float])] {
    var generator = SeededGenerator(seed: 91)
    let hiss = Signals.noise(count: count, using: &generator)
    var rumble = Signals.noise(count: count, using: &generator)
    for index in 1..<count { rumble[index] = 0.95 * rumble[index - 1] + 0.05 * rumble[index] }
    var knocks = Signals.silence(count)
    for position in stride(from: 2_000, to: count - 800, by: 2_600) {
      let tone = Double.random(in: 0.3...1.5, using: &generator)
      for index in 0..<800 {
        let decay = exp(-Double(index) / 120)
        let noise = Double.random(in: -0.5...0.5, using: &generator)
        knocks[position + index] += Float(decay * (sin(Double(index) * tone) + noise))
      }
    }
    return [("hiss", hiss), ("rumble", rumble), ("knocks", knocks)].map { name, samples in
      let power = samples.reduce(0) { $0 + $1 * $1 } / Float(count)
      let scale = 0.05 / power.squareRoot()
      return (name, Signals.scaled(samples, by: scale))
    }
  }

  func test_process_speechWithoutNoise_keepsItsLevelAndEnvelopes() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let clean = try speech()
    let output = try suppressed(clean)
    XCTAssertEqual(
      Signals.rmsLevel(output[16_000...]), Signals.rmsLevel(clean[16_000...]), accuracy: 1)
    XCTAssertGreaterThan(likeness(output[16_000...], to: clean[16_000...]), 0.97)
  }

  func test_process_speechInNoise_comesCloserToTheCleanSpeech() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let clean = try speech()
    for (name, noise) in noises(count: clean.count) {
      let noisy = Signals.sum(clean, noise)
      let output = try suppressed(noisy)
      let before = likeness(noisy[16_000...], to: clean[16_000...])
      let after = likeness(output[16_000...], to: clean[16_000...])
      // After half a second, the network has adapted to the noise.
      let reduction =
        Signals.rmsLevel(noisy[8_000..<16_000]) - Signals.rmsLevel(output[8_000..<16_000])
      print("\(name): likeness \(before) → \(after), noise alone \(reduction) dB lower")
      XCTAssertGreaterThan(after, before + 0.01, name)
      XCTAssertGreaterThan(reduction, 36, name)
    }
  }

  func test_process_speechInHissAtOtherSampleRates_comesCloserToTheCleanSpeech() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let spoken = try speech()
    for other in [8_000.0, 44_100, 48_000] {
      let clean = Signals.resampled(spoken, from: rate, to: other)
      var generator = SeededGenerator(seed: 92)
      // The noise is white up to half the sample rate. At 48 kHz, it also contains frequencies that
      // the network does not analyse.
      let hiss = Signals.noise(count: clean.count, amplitude: 0.05, using: &generator)
      let noisy = Signals.sum(clean, hiss)
      let output = try suppressed(noisy, rate: other)
      let kept = try suppressed(clean, rate: other)
      let (half, second) = (Int(other / 2), Int(other))
      let reduction =
        Signals.rmsLevel(noisy[half..<second]) - Signals.rmsLevel(output[half..<second])
      let loss = Signals.rmsLevel(clean[second...]) - Signals.rmsLevel(kept[second...])
      let before = Double(zip(noisy, clean).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) })
      let after = Double(zip(output, clean).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) })
      print("\(other) Hz: hiss \(reduction) dB lower, speech \(loss) dB, error \(after / before)")
      XCTAssertGreaterThan(reduction, 31, "\(other) Hz")
      XCTAssertEqual(loss, 0, accuracy: 1, "\(other) Hz")
      XCTAssertLessThan(after, 0.6 * before, "\(other) Hz")
    }
  }

  /// The network also treats many simultaneous talkers as speech. Their level is lowered, but they
  /// are not removed.
  func test_process_babble_isLoweredBy1To15Decibels() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let voice = Array(try speech().dropFirst(16_000).reversed())
    var babble = Signals.silence(voice.count)
    for talker in 0..<6 {
      let shift = talker * 13_577
      for index in babble.indices { babble[index] += 0.4 * voice[(index + shift) % voice.count] }
    }
    let output = try suppressed(babble)
    let reduction = Signals.rmsLevel(babble[32_000...]) - Signals.rmsLevel(output[32_000...])
    print("talk of others: \(reduction) dB lower")
    XCTAssertGreaterThan(reduction, 1)
    XCTAssertLessThan(reduction, 15)
  }
}
