import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

/// Tests the effect of the microphone modes on the uplink.
final class VoiceProcessorModeTests: XCTestCase {
  private let rate = 16_000.0

  func test_init_fromThePackedWord_restoresTheMode() {
    let modes: [MicrophoneMode] = [
      .linear, .wideSpectrum, .voiceIsolation, .bypass, MicrophoneMode(removesRumble: true),
      MicrophoneMode(controlsGain: true), MicrophoneMode(addsComfortNoise: true),
    ]
    for mode in modes { XCTAssertEqual(MicrophoneMode(word: mode.word), mode) }
    XCTAssertEqual(
      MicrophoneMode(word: MicrophoneMode.standard.word).noiseSuppression, 0.5, accuracy: 0.002)
  }

  func test_bypass_uplinkIsBitIdenticalToTheMicrophone() throws {
    var generator = SeededGenerator(seed: 73)
    let microphone = Signals.noise(count: 16_000, amplitude: 0.1, using: &generator)
    let far = Signals.noise(count: 16_000, amplitude: 0.1, using: &generator)
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = .bypass
    let result = TestCall(frames: 16_000, microphone: microphone, farVoice: far)
      .rendered(by: processor)
    XCTAssertEqual(Signals.bits(result.uplink), Signals.bits(microphone))
    XCTAssertEqual(processor.uplinkLatency, 0)
  }

  func test_wideSpectrum_delaysTheMicrophoneByTheReportedLatency() throws {
    let processor = try VoiceProcessor(sampleRate: 48_000)
    processor.microphoneMode = .wideSpectrum
    var microphone = Signals.silence(48_000)
    microphone[24_000] = 0.5
    let uplink = TestCall(frames: 48_000, microphone: microphone).rendered(by: processor).uplink
    let peak = uplink.indices.max { abs(uplink[$0]) < abs(uplink[$1]) }
    XCTAssertEqual(peak, 24_000 + processor.uplinkLatency)
    XCTAssertEqual(processor.uplinkLatency, 480)
  }

  func test_microphoneMode_switchedRepeatedly_makesNoClick() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let tone = Signals.sine(400, rate: rate, count: 64_000)
    let modes: [MicrophoneMode] = [
      .bypass, .standard, .wideSpectrum, .voiceIsolation, .linear, .standard, .bypass,
      .voiceIsolation, .linear, .wideSpectrum, .bypass, MicrophoneMode(controlsGain: true),
      MicrophoneMode(removesRumble: true), .linear,
    ]
    let processor = try VoiceProcessor(sampleRate: rate)
    var call = TestCall(frames: tone.count, microphone: tone)
    call.changes = modes.indices.map { index in
      (4_321 * (index + 1), { $0.microphoneMode = modes[index] })
    }
    let output = call.rendered(by: processor).uplink
    // The second difference of the tone alone is at most 0.0025. The second difference of a click
    // would be many times larger.
    var largest: Float = 0
    for index in 2..<output.count {
      let bend: Float = output[index] - 2 * output[index - 1] + output[index - 2]
      largest = max(largest, abs(bend))
    }
    XCTAssertLessThan(largest, 0.008)
  }

  func test_gainControlAlone_amplifiesSoftSpeech_withoutLatency() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let voice = SyntheticVoice.speech(seconds: 6, rate: rate, level: 0.005, seed: 12)
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = MicrophoneMode(controlsGain: true)
    let uplink = TestCall(frames: voice.count, microphone: voice).rendered(by: processor).uplink
    XCTAssertEqual(processor.uplinkLatency, 0)
    let gain = Signals.rmsLevel(uplink[48_000...]) - Signals.rmsLevel(voice[48_000...])
    XCTAssertGreaterThan(gain, 20)
  }

  /// The DC offset is 14 dB louder than the speech.
  func test_gainControlAlone_offset_doesNotCountAsSpeech() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let voice = SyntheticVoice.speech(seconds: 6, rate: rate, level: 0.005, seed: 12)
    let levels = try [Float(0), 0.025].map { offset in
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.microphoneMode = MicrophoneMode(controlsGain: true)
      let call = TestCall(frames: voice.count, microphone: voice.map { $0 + offset })
      // The differences of neighbouring samples contain no DC offset. Therefore the level of these
      // differences is measured.
      let uplink = call.rendered(by: processor).uplink[48_000...]
      return Signals.rmsLevel(zip(uplink, uplink.dropFirst()).map { $1 - $0 })
    }
    XCTAssertEqual(levels[1], levels[0], accuracy: 1)
  }

  /// The microphone is delayed by the full latency from the first sample of a call. The same is
  /// true after a reset.
  func test_wideSpectrum_fromTheFirstSample_delaysTheMicrophone() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = .wideSpectrum
    let microphone = Signals.noise(count: 1_600, amplitude: 0.1, seed: 94)
    for _ in 0..<2 {
      let uplink = TestCall(frames: 1_600, microphone: microphone).rendered(by: processor).uplink
      let expected = Signals.silence(160) + microphone.dropLast(160)
      for index in uplink.indices {
        XCTAssertEqual(uplink[index], expected[index], accuracy: 1e-5, "sample \(index)")
      }
      processor.reset()
    }
  }

  func test_standardMode_anyBlockSizes_giveTheSameUplinkBits() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let voice = SyntheticVoice.speech(seconds: 1.5, rate: rate, seed: 8)
    let far = SyntheticVoice.speech(seconds: 1.5, rate: rate, seed: 9)
    var results: [Signals.Bits] = []
    for blocks in [[480], [1, 777, 64]] {
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.microphoneMode = .standard
      let call = TestCall(frames: 24_000, microphone: voice, farVoice: far)
      results.append(Signals.bits(call.rendered(by: processor, blocks: blocks).uplink))
    }
    XCTAssertEqual(results[0], results[1])
  }

  func test_wideSpectrum_echoAtAnyDelay_isRemoved_andNotReportedAsNearVoice() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    for delay in [0.02, 0.3, 0.48] {
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.microphoneMode = .wideSpectrum
      let far = SyntheticVoice.speech(seconds: 12, rate: rate, seed: 10)
      let frames = Int(delay * rate)
      var generator = SeededGenerator(seed: 74)
      let noise = Signals.noise(count: far.count, amplitude: 2e-5, using: &generator)
      let echo = Signals.silence(frames) + far.dropLast(frames).map { 0.5 * $0 }
      let microphone = Signals.sum(echo, noise)
      var call = TestCall(frames: far.count, microphone: microphone, farVoice: far)
      call.changes = [(0, { $0.isVoiceActivityDetectionEnabled = true })]
      let open = call.rendered(by: processor)
      let removed =
        Signals.rmsLevel(microphone[80_000...]) - Signals.rmsLevel(open.uplink[80_000...])
      print("delay \(delay) s: \(removed) dB of echo removed")
      XCTAssertGreaterThan(removed, 30, "\(delay) s")
      XCTAssertEqual(open.reported(.nearVoice).filter { $0.frame > 32_000 }.count, 0, "\(delay) s")
    }
  }
}
