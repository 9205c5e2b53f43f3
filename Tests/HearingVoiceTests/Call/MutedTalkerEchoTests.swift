import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests that echo alone is never reported as talk into a muted microphone. The tests use several
/// rooms and device delays. They also check that near-end talk is reported in these rooms.
final class MutedTalkerEchoTests: XCTestCase {
  private let rate = 16_000.0
  private let count = 80_000

  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "long sounds take too long with a sanitizer")
  }

  /// Far-end talk and its echo in several rooms. There is a dry, a usual and a reverberant room, a
  /// room without direct sound, a room that changes after half of the time, and a loud room.
  func scenes() throws -> [(name: String, far: [Float], echo: [Float])] {
    let recorded = try RecordedTalk.samples(count)
    let spoken = SyntheticVoice.speech(seconds: 5, rate: rate, seed: 71, pitch: 180)
    func echo(_ far: [Float], _ seed: UInt64, _ time: Double, _ gain: Float) -> [Float] {
      var generator = SeededGenerator(seed: seed)
      let room = EchoScene.room(rate: rate, delay: 0, reverberation: time, using: &generator)
      return EchoScene.convolved(far, room).map { gain * $0 }
    }
    func diffuse(_ far: [Float]) -> [Float] {
      var generator = SeededGenerator(seed: 74)
      let room = EchoScene.room(rate: rate, delay: 0.02, reverberation: 0.5, using: &generator)
      // Removes the last element of the room response, which is the direct sound.
      return EchoScene.convolved(far, room.dropLast()).map { 3 * $0 }
    }
    let one = echo(recorded, 75, 0.3, 1)
    let changed = Array(one.prefix(count / 2)) + echo(recorded, 76, 0.3, 1).suffix(count / 2)
    return [
      ("dry", recorded, echo(recorded, 71, 0.1, 0.3)), ("usual", spoken, echo(spoken, 72, 0.3, 1)),
      ("reverberant", recorded, echo(recorded, 73, 0.5, 0.5)),
      ("diffuse", recorded, diffuse(recorded)), ("changing", recorded, changed),
      ("loud", spoken, echo(spoken, 79, 0.2, 3)),
    ]
  }

  func test_echoAlone_atAnyDelay_isNotReportedAsMutedTalker() throws {
    var generator = SeededGenerator(seed: 77)
    let noise = Signals.noise(count: count, amplitude: 3e-4, using: &generator)
    for (name, far, echo) in try scenes() {
      // In the diffuse room, the first reflection arrives 20 ms after the playback. The processor
      // searches delays up to 500 ms.
      for delay in [0, 60, 120, 200, 320, name == "diffuse" ? 480 : 500] {
        let processor = try VoiceProcessor(sampleRate: rate)
        processor.isMuted = true
        let delayed = Signals.silence(16 * delay) + echo.dropLast(16 * delay)
        let call = TestCall(
          frames: count, microphone: Signals.sum(delayed, noise), farVoice: far)
        let reported = call.rendered(by: processor).reported(.mutedTalker)
        XCTAssertEqual(
          reported.map { Double($0.frame) / rate }, [], "\(name), device delay \(delay) ms")
      }
    }
  }

  /// If a headset has a mute switch, its microphone delivers digital silence while muted.
  func test_microphoneBecomesSilent_duringFarTalk_outputsSilence_andReportsNoMutedTalker() throws {
    for (name, far, echo) in try scenes() where name != "changing" {
      for mode in [MicrophoneMode.linear, .wideSpectrum, .standard] {
        let processor = try VoiceProcessor(sampleRate: rate)
        processor.microphoneMode = mode
        let silent = 48_000
        var call = TestCall(frames: count, microphone: Array(echo.prefix(silent)), farVoice: far)
        call.changes = [(silent, { $0.isMutedElsewhere = true })]
        let result = call.rendered(by: processor)
        XCTAssertEqual(result.reported(.mutedTalker).map(\.frame), [], "\(name), \(mode)")
        // Some comfort noise remains in the uplink.
        let (rest, sent) = (echo[(silent + 1_600)...], result.uplink[(silent + 1_600)...])
        let lower = Signals.rmsLevel(rest) - Signals.rmsLevel(sent)
        XCTAssertGreaterThan(lower, mode == .linear ? 100 : 20, "\(name), \(mode)")
      }
    }
  }

  /// The level of the echo is between 10 dB below and 5 dB above the noise in the room.
  func test_echoInNoise_isNotReportedAsMutedTalker_andNearTalkIs() throws {
    let count = 16_000 * 12
    let far = SyntheticVoice.speech(seconds: 12, rate: rate, seed: 80, pitch: 210)
    let near = SyntheticVoice.speech(seconds: 4, rate: rate, level: 0.02, seed: 78, pitch: 120)
    let noise = Signals.noise(count: count, rms: 0.003, seed: 83)
    var generator = SeededGenerator(seed: 84)
    let room = EchoScene.room(rate: rate, delay: 0.02, reverberation: 0.3, using: &generator)
    let echo = EchoScene.convolved(far, room)
    for level in [5.0, -5, -10] {
      let change = level + Signals.rmsLevel(noise[...]) - Signals.rmsLevel(echo[...])
      let gain = Float(Signals.amplitude(decibels: change))
      let microphone = zip(echo, noise).map { gain * $0 + $1 }
      for (isTalking, mode) in [
        (false, MicrophoneMode.linear), (false, .standard), (true, .linear),
      ] {
        let processor = try VoiceProcessor(sampleRate: rate)
        processor.microphoneMode = mode
        processor.isMuted = true
        var call = TestCall(frames: count, microphone: microphone, farVoice: far)
        if isTalking {
          for (index, sample) in near.enumerated() { call.microphone[128_000 + index] += sample }
        }
        let starts = call.rendered(by: processor).reported(.mutedTalker).map {
          Double($0.frame) / rate
        }
        print("echo at \(level) dB, near talk: \(isTalking), reports at \(starts)")
        if isTalking {
          XCTAssertEqual(try XCTUnwrap(starts.first), 8.5, accuracy: 0.5, "\(level) dB")
        } else {
          XCTAssertEqual(starts, [], "\(level) dB")
        }
      }
    }
  }

  /// In this scene there is noise but no echo, as with headphones in a noisy room.
  func test_nearTalkAsLoudAsTheNoise_withoutEcho_isReportedWithin800Milliseconds() throws {
    let count = 16_000 * 12
    let far = SyntheticVoice.speech(seconds: 12, rate: rate, seed: 80, pitch: 210)
    let near = SyntheticVoice.speech(seconds: 4, rate: rate, level: 0.004, seed: 78, pitch: 120)
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.isMuted = true
    processor.echoPath = EchoPath(suppression: 0)
    let noise = Signals.noise(count: count, rms: 0.003, seed: 83)
    var call = TestCall(frames: count, microphone: noise, farVoice: far)
    for (index, sample) in near.enumerated() { call.microphone[96_000 + index] += sample }
    let reported = call.rendered(by: processor).reported(.mutedTalker)
    let first = reported.first.map { Double($0.frame) / rate - 6 } ?? .infinity
    print("near talk as loud as the noise: after \(first) s")
    XCTAssertEqual(first, 0.4, accuracy: 0.4)
  }

  func test_nearTalkWhileMuted_duringFarTalk_isReportedWithin800Milliseconds() throws {
    let near = SyntheticVoice.speech(seconds: 1.5, rate: rate, level: 0.1, seed: 78, pitch: 120)
    for (name, far, echo) in try scenes() where name != "changing" {
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.isMuted = true
      var call = TestCall(frames: count, microphone: echo, farVoice: far)
      for (index, sample) in near.enumerated() { call.microphone[48_000 + index] += sample }
      let reported = call.rendered(by: processor).reported(.mutedTalker)
      let first = reported.first.map { Double($0.frame) / rate - 3 } ?? .infinity
      print("near talk in the room \(name): after \(first) s")
      XCTAssertEqual(first, 0.4, accuracy: 0.4, name)
    }
  }
}
