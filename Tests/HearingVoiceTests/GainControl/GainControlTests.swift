import Foundation
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class GainControlTests: XCTestCase {
  private let rate = 16_000.0

  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
  }

  private func controlled(
    _ samples: [Float], blocks: [Int] = [160]
  ) throws -> (samples: [Float], gains: [Double]) {
    var control = try GainControl(sampleRate: rate)
    var output = samples
    var gains: [Double] = []
    output.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var done = 0
      var turn = 0
      while done < buffer.count {
        let count = min(blocks[turn % blocks.count], buffer.count - done)
        control.process(base + done, frameCount: count)
        gains.append(control.gain)
        done += count
        turn += 1
      }
    }
    return (output, gains)
  }

  private func speech(_ seconds: Double, level: Double, seed: UInt64 = 5) -> [Float] {
    let sound = SyntheticVoice.speech(seconds: seconds, rate: rate, level: 0.05, seed: seed)
    let gain = Float(
      Signals.amplitude(decibels: level - Signals.activeSpeechLevel(sound[...], rate: rate)))
    return Signals.scaled(sound, by: gain)
  }

  func test_process_speechAtAnyLevel_reachesMinus18dBFSAfter2Seconds() throws {
    for level in [-45.0, -35, -25, -18, -10] {
      let output = try controlled(speech(8, level: level)).samples
      let active = Signals.activeSpeechLevel(output[Int(2.4 * rate)...], rate: rate)
      print("speech at \(level) dB leaves at \(active) dB")
      XCTAssertEqual(active, -18, accuracy: 1.5, "\(level) dB")
    }
  }

  /// The DC offset and the rumble are louder than the speech.
  func test_process_softSpeechWithOffsetAndRumble_getsTheGainOfTheSpeech() throws {
    let voice = speech(6, level: -45)
    let rumble = Signals.sine(15, rate: rate, count: voice.count, amplitude: 0.02)
    let disturbed = try controlled(zip(voice, rumble).map { $0 + $1 + 0.05 })
    let expected = try XCTUnwrap(try controlled(voice).gains.last)
    XCTAssertGreaterThan(expected, 24)
    XCTAssertEqual(try XCTUnwrap(disturbed.gains.last), expected, accuracy: 1.5)
    // The output contains no DC offset.
    let output = disturbed.samples[32_000...]
    XCTAssertEqual(Double(output.reduce(0, +)) / Double(output.count), 0, accuracy: 0.001)
  }

  func test_process_pauseInNoise_keepsTheGain() throws {
    var generator = SeededGenerator(seed: 91)
    let sound = speech(6, level: -30)
    let noise = Signals.noise(count: 16_000 * 16, amplitude: 1e-3, using: &generator)
    let microphone = Signals.sum(sound + Signals.silence(16_000 * 10), noise)
    let gains = try controlled(microphone).gains
    // The gains are measured from 0.3 s after the last word on.
    let pause = gains[630...]
    let change = (pause.max() ?? 0) - (pause.min() ?? 0)
    XCTAssertLessThanOrEqual(change, 0.5)
  }

  /// The clicks resemble those of a keyboard. The detector finds a voice in some of their frames.
  /// Talk starts only after 100 ms of voice, and each click is shorter.
  func test_process_clicks_beforeAnybodyTalks_doNotRaiseTheGain() throws {
    var sound = Signals.silence(16_000 * 30)
    for start in stride(from: 3_200, to: sound.count - 320, by: 6_400) {
      for index in 0..<320 {
        let angle = 2 * .pi * 150 * Double(index) / rate
        let harmonics = (1..<20).reduce(0) { $0 + sin(angle * Double($1)) / Double($1) }
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / 320)
        sound[start + index] = Float(0.02 * window * harmonics)
      }
    }
    var detector = try VoiceActivityDetector(sampleRate: rate)
    var voices = 0
    detector.process(sound, frameCount: sound.count) { voices += $0.isVoice ? 1 : 0 }
    XCTAssertGreaterThan(voices, 10)
    let gains = try controlled(sound).gains
    print("highest gain with clicks: \(gains.max() ?? 0) dB")
    XCTAssertEqual(gains.max(), 0)
  }

  func test_process_levelRisesBy35Decibels_lowersTheGainWithin50Milliseconds() throws {
    let sound = speech(12, level: -10)
    let softer = Float(Signals.amplitude(decibels: -35))
    // The level changes at this time in seconds after the start of a syllable.
    for offset in [0.04, 0.08, 0.12, 0.16] {
      let cut = Int((6.0 + offset) * rate)
      let jump = sound[..<cut].map { $0 * softer } + sound[cut...]
      let (output, gains) = try controlled(jump)
      let final = gains[gains.count - 100]
      let first = cut / 160
      print(
        "\(offset) s: gain before \(gains[first - 1]), after 50 ms \(gains[first + 4]), "
          + "at the end \(final)")
      XCTAssertGreaterThan(gains[first - 1] - final, 30)
      XCTAssertEqual(gains[first + 4], final, accuracy: 3, "\(offset) s")
      XCTAssertLessThanOrEqual(Signals.peak(output), 0.891_26)
    }
  }

  /// Directly after loud speech, the detector misses up to 2 s of the soft synthetic speech.
  func test_process_levelFalls_raisesTheGainWithin5Seconds() throws {
    let sound = speech(14, level: -15)
    for fall in [6.0, 12, 15, 20, 25] {
      let softer = sound.map { $0 * Float(Signals.amplitude(decibels: -fall)) }
      let cut = Int(6 * rate)
      let gains = try controlled(Array(sound[..<cut] + softer[cut...])).gains
      let expected = try controlled(softer).gains
      let late = (1_100..<gains.count).map { abs(gains[$0] - expected[$0]) }
      XCTAssertLessThan(late.max() ?? 0, 3, "\(fall) dB")
    }
  }

  func test_process_softSpeechAfterAScream_reachesItsGainWithin5Seconds() throws {
    let sound = speech(12, level: -38)
    let scream = speech(1, level: -16, seed: 6)
    let cut = Int(4 * rate)
    let gains = try controlled(Array(sound[..<cut] + scream + sound[cut...])).gains
    let expected = try XCTUnwrap(controlled(sound).gains.last)
    XCTAssertLessThan(gains[499], expected - 15)
    let late = gains[1_000...].map { abs($0 - expected) }
    XCTAssertLessThan(late.max() ?? 0, 3)
  }

  func test_process_loudSpeech_neverExceedsTheCeiling() throws {
    let loud = speech(4, level: -3)
    XCTAssertGreaterThan(Signals.peak(loud), 1.5)
    let output = try controlled(loud).samples
    XCTAssertLessThanOrEqual(Signals.peak(output), 0.891_26)
    // At first, the gain is 0 dB. Therefore the limiter determines the peak.
    XCTAssertGreaterThan(Signals.peak(output[..<1_600]), 0.88)
  }

  func test_process_invalidSamples_countAsSilence() throws {
    var invalid = speech(3, level: -25)
    var silenced = invalid
    for index in stride(from: 1_000, to: invalid.count, by: 997) {
      invalid[index] = [.nan, .infinity, -.infinity, 16.01, -1e30][index % 5]
      silenced[index] = 0
    }
    let (output, expected) = (try controlled(invalid), try controlled(silenced))
    XCTAssertEqual(Signals.bits(output.samples), Signals.bits(expected.samples))
    XCTAssertEqual(output.gains, expected.gains)
    XCTAssertGreaterThan(output.gains.last ?? 0, 3)
  }

  func test_process_noiseAlone_keepsAGainOf0Decibels() throws {
    var generator = SeededGenerator(seed: 92)
    let noise = Signals.noise(count: 16_000 * 5, amplitude: 0.01, using: &generator)
    XCTAssertEqual(try XCTUnwrap(controlled(noise).gains.last), 0, accuracy: 0.01)
  }

  func test_process_anyBlockSizes_giveTheSameBits() throws {
    let sound = speech(3, level: -35)
    let expected = Signals.bits(try controlled(sound).samples)
    for blocks in [[1], [480, 7, 1_000]] {
      XCTAssertEqual(Signals.bits(try controlled(sound, blocks: blocks).samples), expected)
    }
  }

  func test_reset_afterSpeech_behavesLikeANewInstance() throws {
    var control = try GainControl(sampleRate: rate)
    func output(_ sound: [Float]) -> Signals.Bits {
      Signals.bits(Signals.processed(sound) { control.process($0, frameCount: $1) })
    }
    let sound = speech(2, level: -35)
    let first = output(sound)
    control.reset()
    // The loud speech makes the gain low. The loud noise then makes the limiter active.
    _ = output(speech(1, level: 0, seed: 6))
    XCTAssertLessThan(control.gain, -3)
    _ = output(Signals.noise(count: 800, amplitude: 15, seed: 93))
    control.reset()
    XCTAssertEqual(control.gain, 0)
    XCTAssertEqual(output(sound), first)
  }

  func test_isEnabled_false_outputIsBitIdenticalToTheInput() throws {
    var control = try GainControl(sampleRate: rate)
    control.isEnabled = false
    control.reset()
    var sound = speech(1, level: -35)
    let expected = Signals.bits(sound)
    sound.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      control.process(base, frameCount: buffer.count)
    }
    XCTAssertEqual(Signals.bits(sound), expected)
    XCTAssertEqual(control.gain, 0)
  }
}
