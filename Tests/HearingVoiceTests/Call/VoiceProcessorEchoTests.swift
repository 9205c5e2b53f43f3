import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests that echo from the loudspeaker is not detected as near-end talk.
final class VoiceProcessorEchoTests: XCTestCase {
  private let rate = 16_000.0

  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "long sounds take too long with a sanitizer")
  }

  /// The echo of a sound in the microphone signal. The reverberation time of the room is 0.3 s. The
  /// echo has a delay of 10 ms and a gain of 1.
  private func heard(_ sound: [Float], inRoom seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    let room = EchoScene.room(rate: rate, delay: 0.01, reverberation: 0.3, using: &generator)
    return EchoScene.convolved(sound, room)
  }

  private func farVoice(seconds: Double) -> [Float] {
    // The far voice consists of sentences with pauses between them.
    var sound: [Float] = Signals.silence(8_000)
    var seed: UInt64 = 30
    while sound.count < Int(seconds * rate) {
      sound += SyntheticVoice.speech(seconds: 2, rate: rate, seed: seed, pitch: 190)
      sound += Signals.silence(20_000)
      seed += 1
    }
    return Array(sound.prefix(Int(seconds * rate)))
  }

  private func roomNoise(_ count: Int) -> [Float] {
    var generator = SeededGenerator(seed: 12)
    return Signals.noise(count: count, amplitude: 0.0005, using: &generator)
  }

  func test_echoOfTheFarVoice_isReportedNeitherAsMutedTalkerNorAsNearVoice() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let far = farVoice(seconds: 20)
      let noise = roomNoise(far.count)
      var call = TestCall(frames: far.count, farVoice: far)
      call.microphone = Signals.sum(heard(far, inRoom: seed), noise)
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.isMuted = true
      processor.isVoiceActivityDetectionEnabled = true
      let result = call.rendered(by: processor)
      XCTAssertEqual(result.reported(.mutedTalker).count, 0, "room \(seed)")
      XCTAssertEqual(result.reported(.nearVoice).count, 0, "room \(seed)")
      XCTAssertGreaterThan(result.reported(.farVoice).count, 4, "room \(seed)")
    }
  }

  /// Before the first word, the far end sends soft noise. In the microphone, the echo of this noise
  /// is softer than the microphone's own noise.
  func test_echoOfTheFirstWord_afterSoftNoise_isReduced_andNotReportedAsNearVoice() throws {
    let talk = try RecordedTalk.samples(64_000)
    for seed in 1...4 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: 20 + seed)
      func noise(_ count: Int, level: Float) -> [Float] {
        let amplitude = pow(10, level / 20) * Float(3).squareRoot()
        return Signals.noise(count: count, amplitude: amplitude, using: &generator)
      }
      let far = Signals.sum(Signals.silence(48_000) + talk, noise(112_000, level: -65))
      var call = TestCall(frames: far.count, farVoice: far)
      call.microphone = zip(heard(far, inRoom: seed), noise(far.count, level: -70)).map {
        0.1 * $0 + $1
      }
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.microphoneMode = .standard
      processor.isVoiceActivityDetectionEnabled = true
      let result = call.rendered(by: processor)
      let seconds = 64_000..<96_000
      let reduction =
        10
        * log10(Signals.power(call.microphone[seconds]) / Signals.power(result.uplink[seconds]))
      print("room \(seed): \(reduction) dB from 1 to 3 s after the first word")
      XCTAssertGreaterThan(reduction, 32, "room \(seed)")
      XCTAssertEqual(result.reported(.nearVoice).count, 0, "room \(seed)")
    }
  }

  func test_echoOfOtherAudio_isNotReportedAsMutedTalker() throws {
    // Other audio may also contain speech, for example in a film. The canceller uses the complete
    // playback as its reference, after the other audio was lowered.
    let film = farVoice(seconds: 20)
    let ratio = Float(pow(10, -0.5))
    var call = TestCall(frames: film.count, otherAudio: film)
    call.microphone = zip(heard(film, inRoom: 4), roomNoise(film.count)).map {
      $0 * ratio + $1
    }
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.isMuted = true
    XCTAssertEqual(call.rendered(by: processor).reported(.mutedTalker).count, 0)
  }

  func test_mute_doesNotStopTheCancellerFromAdapting() throws {
    let far = farVoice(seconds: 12)
    let echo = heard(far, inRoom: 5)
    var call = TestCall(frames: far.count, microphone: echo, farVoice: far)
    let unmuted = 10 * Int(rate)
    call.changes = [(unmuted, { $0.isMuted = false })]
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.isMuted = true
    let uplink = call.rendered(by: processor).uplink
    // The range is the first second after unmuting.
    let range = unmuted..<unmuted + 16_000
    let attenuation = Signals.rmsLevel(echo[range]) - Signals.rmsLevel(uplink[range])
    print("echo after unmuting: \(attenuation) dB lower")
    XCTAssertGreaterThan(attenuation, 15)
  }

  func test_mutedTalk_whileTheFarVoiceTalks_isReported() throws {
    let far = farVoice(seconds: 20)
    let echo = heard(far, inRoom: 6)
    let near = SyntheticVoice.speech(seconds: 4, rate: rate, seed: 77)
    let start = 12 * Int(rate)
    var call = TestCall(frames: far.count, microphone: echo, farVoice: far)
    for (index, sample) in near.enumerated() { call.microphone[start + index] += sample }
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.isMuted = true
    let reported = call.rendered(by: processor).reported(.mutedTalker)
    XCTAssertEqual(reported.map(\.change), [.started, .ended])
    guard let first = reported.first else { return }
    XCTAssertEqual(Double(first.frame - Int64(start)) / rate, 0.3, accuracy: 0.3)
  }
}
