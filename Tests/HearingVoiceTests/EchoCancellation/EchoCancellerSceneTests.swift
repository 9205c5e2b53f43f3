import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests long scenes with synthetic speech.
final class EchoCancellerSceneTests: XCTestCase {
  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "long signals take too long with a sanitizer")
  }

  /// A scene in which the far end talks all the time. The near end talks from 6 s to 16 s, and the
  /// room changes at 18 s.
  private func story(
    rate: Double, seed: UInt64, delay: Double = 0, gain: Float = 1
  ) throws -> Cancelled {
    var generator = SeededGenerator(seed: seed)
    let scene = EchoScene(
      rate: rate, seconds: 22, talk: 6..<16, change: 18, delay: delay, gain: gain,
      using: &generator)
    var canceller = try EchoCanceller(sampleRate: rate)
    return scene.cancelled(by: &canceller)
  }

  private func check(_ result: Cancelled, _ name: String) {
    let converged = result.enhancement(2, 3)
    let during = result.enhancement(8, 16)
    let kept = result.enhancement(16, 16.5)
    let changed = result.enhancement(20, 21)
    func whole(_ value: Double) -> Int { Int(value.rounded()) }
    print(
      "\(name): \(whole(converged)) dB at 2…3 s, \(whole(during)) in double talk, "
        + "\(whole(kept)) after it, \(whole(changed)) 2 s after the room changed")
    XCTAssertGreaterThan(converged, 20, name)
    XCTAssertGreaterThan(during, 12, name)
    XCTAssertGreaterThan(kept, 20, name)
    XCTAssertGreaterThan(changed, 20, name)
    for start in stride(from: 0.0, to: 21, by: 0.25) {
      let frames = Int(start * result.scene.rate)..<Int((start + 1) * result.scene.rate)
      let heard = Signals.power(result.scene.microphone[frames])
      XCTAssertLessThan(
        Signals.power(result.output[frames]), 2 * heard, "\(name), the second from \(start)")
    }
    XCTAssertTrue(result.output.allSatisfy(\.isFinite))
  }

  func test_process_sceneAtAnySampleRate_cancelsTheEcho() throws {
    for (seed, rate) in [(1, 16_000.0), (5, 8_000), (6, 48_000), (7, 44_100)] {
      check(try story(rate: rate, seed: UInt64(seed)), "\(Int(rate)) Hz, seed \(seed)")
    }
  }

  func test_process_deviceDelayUpTo60Milliseconds_cancelsTheEcho() throws {
    for (seed, delay) in [(2, 0.01), (3, 0.03), (4, 0.06)] {
      check(
        try story(rate: 16_000, seed: UInt64(seed), delay: delay), "delay \(delay) s, seed \(seed)")
    }
  }

  func test_process_loudspeakerAtLowOrHighVolume_cancelsTheEcho() throws {
    for gain: Float in [0.05, 0.3, 4, 10] {
      check(try story(rate: 16_000, seed: 8, gain: gain), "gain \(gain), seed 8")
    }
  }

  func test_process_echoPathInverted_recoversIn2Seconds_andNeverDoublesThePower() throws {
    // The test uses the worst case: the polarity of the echo path changes at 5 s.
    var generator = SeededGenerator(seed: 3)
    var scene = EchoScene(rate: 16_000, seconds: 9, using: &generator)
    for index in 80_000..<scene.echo.count { scene.echo[index] *= -1 }
    var canceller = try EchoCanceller(sampleRate: 16_000)
    let result = scene.cancelled(by: &canceller)
    for start in stride(from: 4.0, to: 8, by: 0.1) {
      let frames = Int(start * 16_000)..<Int((start + 1) * 16_000)
      XCTAssertLessThan(
        Signals.power(result.output[frames]), 2 * Signals.power(scene.microphone[frames]))
    }
    XCTAssertGreaterThan(result.enhancement(7, 9), 18)
  }

  func test_process_roomThatChangesRepeatedly_neverDoublesThePower() throws {
    var generator = SeededGenerator(seed: 4)
    var scene = EchoScene(rate: 16_000, seconds: 10, talk: 5..<10, using: &generator)
    let other = EchoScene(rate: 16_000, seconds: 10, using: &generator)
    // Two rooms alternate every 300 ms. In the second room, the echo comes from a different far-end
    // voice.
    for index in scene.echo.indices where index / 4_800 % 2 == 1 {
      scene.echo[index] = other.echo[index]
    }
    var canceller = try EchoCanceller(sampleRate: 16_000)
    let result = scene.cancelled(by: &canceller)
    let heard = scene.microphone
    for start in stride(from: 0, to: heard.count - 16_000, by: 1_600) {
      XCTAssertLessThan(
        Signals.power(result.output[start..<start + 16_000]),
        2 * Signals.power(heard[start..<start + 16_000]))
    }
  }

  func test_process_nearTalkDuringFarTalk_passesNearlyUnchanged() throws {
    var generator = SeededGenerator(seed: 8)
    let scene = EchoScene(rate: 16_000, seconds: 16, talk: 6..<16, using: &generator)
    var canceller = try EchoCanceller(sampleRate: 16_000)
    let result = scene.cancelled(by: &canceller)
    // `wrong` is the output minus near-end talk and noise. It contains residual echo and the
    // distortion of the near-end talk.
    let frames = 8 * 16_000..<16 * 16_000
    let wrong = frames.map { result.output[$0] - scene.near[$0] - scene.noise[$0] }
    let ratio = Signals.decibels(
      (Signals.power(scene.near[frames]) / Signals.power(wrong)).squareRoot())
    print("near talk relative to residual echo and distortion: \(ratio) dB")
    XCTAssertGreaterThan(ratio, 15)
  }

  /// First the filter converges to the echo of soft noise. After that, loud playback and near-end
  /// talk begin at the same time. They must not make the canceller less certain of its filter.
  func test_process_bothTalkAfterSoftNoiseOfTheFarEnd_stillCancelsTheEcho() throws {
    var enhancements: [Double] = []
    for seed: UInt64 in 11...14 {
      var generator = SeededGenerator(seed: seed)
      var scene = EchoScene(rate: 16_000, seconds: 4, talk: 3..<4, using: &generator)
      let soft = Signals.noise(count: 48_000, amplitude: 0.001, using: &generator)
      scene.far.replaceSubrange(0..<48_000, with: soft)
      let room = EchoScene.room(rate: 16_000, delay: 0, reverberation: 0.3, using: &generator)
      scene.echo = EchoScene.convolved(scene.far, room)
      scene.noise = Signals.scaled(scene.noise, by: 0.01)
      var canceller = try EchoCanceller(sampleRate: 16_000)
      enhancements.append(scene.cancelled(by: &canceller).enhancement(3, 4))
    }
    print("echo of talk after soft noise: \(enhancements) dB")
    XCTAssertGreaterThan(enhancements.min() ?? 0, 15)
  }

  func test_process_farTalkStartsSoftlyDuringNearTalk_cancelsItsEcho() throws {
    var generator = SeededGenerator(seed: 9)
    var scene = EchoScene(rate: 16_000, seconds: 6, talk: 0..<6, using: &generator)
    // The far end is silent for one second, and then 40 dB softer than usual for 0.2 s.
    let levels = scene.far.indices.map { index -> Float in
      index < 16_000 ? 0 : index < 19_200 ? 0.01 : 1
    }
    scene.far = zip(scene.far, levels).map { $0 * $1 }
    scene.echo = zip(scene.echo, levels).map { $0 * $1 }
    var canceller = try EchoCanceller(sampleRate: 16_000)
    let result = scene.cancelled(by: &canceller)
    let enhancement = [result.enhancement(1.2, 2.2), result.enhancement(3, 6)]
    print("echo of far talk that joins near talk: \(enhancement) dB")
    XCTAssertGreaterThan(enhancement[0], 0)
    XCTAssertGreaterThan(enhancement[1], 9.5)
  }
}
