import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests that near-end talk is detected while other audio plays. The tests use every microphone
/// mode. Some of the modes do not remove the echo.
final class NearVoiceInEveryModeTests: XCTestCase {
  private let rate = 16_000.0
  private let count = 80_000

  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "long sounds take too long with a sanitizer")
  }

  private let modes: [(name: String, mode: MicrophoneMode)] = [
    ("bypass", .bypass), ("linear", .linear), ("wideSpectrum", .wideSpectrum),
    ("standard", .standard), ("voiceIsolation", .voiceIsolation),
    ("gain alone", MicrophoneMode(controlsGain: true)),
    ("noise alone", MicrophoneMode(noiseSuppression: 1)),
  ]

  /// Plucked chords with an RMS of 0.05.
  private func music() -> [Float] {
    let sound = Signals.chords(count: count, rate: rate)
    return Signals.scaled(sound, by: 0.05 / Float(Signals.rms(sound)))
  }

  /// Three results: the fraction of time in which near-end talk is reported, the time of the first
  /// report in seconds, and the number of muted-talker events.
  private func report(
    _ mode: MicrophoneMode, music: [Float], echo: [Float], near: [Float]
  ) throws -> (fraction: Double, first: Double, muted: Int) {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = mode
    processor.isVoiceActivityDetectionEnabled = true
    processor.isMuted = true
    let call = TestCall(
      frames: count, microphone: Signals.sum(near, echo), otherAudio: music)
    let result = call.rendered(by: processor)
    var (time, since): (Int64, Int64?) = (0, nil)
    for (frame, change) in result.reported(.nearVoice) {
      if change == .started { since = frame } else { time += frame - (since ?? frame) }
      if change == .ended { since = nil }
    }
    if let since { time += Int64(count) - since }
    let first = result.reported(.nearVoice).first.map { Double($0.frame) / rate } ?? .infinity
    return (
      Double(time) / Double(count), first, result.reported(.mutedTalker).count
    )
  }

  func test_nearTalkFromTheFirstBlock_duringMusicInHeadphones_isDetectedWithin1200ms() throws {
    let talk = try RecordedTalk.samples(2 * count)
    let start = try XCTUnwrap(talk.firstIndex { abs($0) > 0.03 })
    let recorded = Array(talk[start..<start + count])
    let synthetic = SyntheticVoice.speech(seconds: 5, rate: rate, seed: 62)
    for (name, mode) in modes {
      // The recorded talker pauses from 0.7 to 0.9 s, and again after 1.4 s.
      for (near, latest, minimum) in [(synthetic, 0.85, 0.8), (recorded, 1.2, 0.75)] {
        let found = try report(mode, music: music(), echo: Signals.silence(count), near: near)
        print("headphones, \(name): from \(found.first) s, \(100 * found.fraction) % of the time")
        XCTAssertLessThan(found.first, latest, name)
        XCTAssertGreaterThan(found.fraction, minimum, name)
        XCTAssertGreaterThan(found.muted, 0, name)
      }
    }
    let quiet = try report(
      .linear, music: Signals.silence(count), echo: Signals.silence(count), near: recorded)
    print("without music: from \(quiet.first) s, \(100 * quiet.fraction) % of the time")
  }

  func test_nearTalkFromTheFirstBlock_duringFarTalkInHeadphones_isDetectedWithinASecond() throws {
    let talk = try RecordedTalk.samples(8 * count)
    for part in 0..<6 {
      let start = try XCTUnwrap(talk[(40_000 * part)...].firstIndex { abs($0) > 0.03 })
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.isVoiceActivityDetectionEnabled = true
      processor.isMuted = true
      let far = SyntheticVoice.speech(seconds: 2, rate: rate, seed: 600 + UInt64(part), pitch: 180)
      let call = TestCall(
        frames: 32_000, microphone: Array(talk[start..<start + 32_000]), farVoice: far)
      let result = call.rendered(by: processor)
      for kind in [RenderEvent.Kind.nearVoice, .mutedTalker] {
        let first = result.reported(kind).first
        let time = Double(first?.frame ?? .max) / rate
        print("beside far talk, part \(part), \(kind): from \(time) s")
        XCTAssertLessThan(time, 1, "part \(part), \(kind)")
        XCTAssertEqual(first?.change, .started)
      }
    }
  }

  func test_nearTalk_duringMusicFromALoudspeaker_isDetectedWithinASecond() throws {
    var generator = SeededGenerator(seed: 61)
    let room = EchoScene.room(rate: rate, delay: 0.01, reverberation: 0.3, using: &generator)
    // Ducking has lowered the music by 10 dB.
    let echo = EchoScene.convolved(music(), room).map { 0.1 * $0 }
    let talk = try RecordedTalk.samples(count)
    let near = Signals.silence(24_000) + talk.prefix(count - 24_000)
    for (name, mode) in modes {
      let found = try report(mode, music: music(), echo: echo, near: near)
      print("loudspeaker, \(name): from \(found.first) s, \(100 * found.fraction) % of the time")
      XCTAssertGreaterThan(found.first, 1.5, name)
      XCTAssertLessThan(found.first, 2.5, name)
      XCTAssertGreaterThan(found.fraction, 0.5, name)
    }
  }
}
