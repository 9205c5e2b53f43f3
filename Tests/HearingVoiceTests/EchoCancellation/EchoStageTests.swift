import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class EchoStageTests: XCTestCase {
  func test_process_returnsTheOutputOfTheCanceller() throws {
    var generator = SeededGenerator(seed: 51)
    let reference = Signals.noise(count: 4_000, using: &generator)
    let microphone = Signals.delayed(reference, by: 21).map { 0.3 * $0 }
    var canceller = try EchoCanceller(sampleRate: 8_000)
    var expected = microphone
    canceller.cancel(&expected, reference: reference, blocks: [80])
    var stage = EchoStage(sampleRate: 8_000, tail: 0.192)
    for _ in 0..<2 {
      let result = TestRun.rendered(
        microphone, reference: reference, through: &stage, runs: [80]
      ) { $1.endsFrame = true }
      XCTAssertEqual(Signals.bits(result.samples), Signals.bits(expected))
      stage.reset()
    }
  }

  func test_process_twoLoudspeakers_returnsTheOutputOfACancellerWithADelayedReference() throws {
    var generator = SeededGenerator(seed: 55)
    let left = Signals.noise(count: 8_000, using: &generator)
    let right = Signals.noise(count: 8_000, using: &generator)
    let early = Signals.delayed(left, by: 821).map { 0.3 * $0 }
    let late = Signals.delayed(right, by: 840).map { -0.2 * $0 }
    let microphone = Signals.sum(early, late)
    for deviceDelay in [0, 0.1] {
      var stage = EchoStage(sampleRate: 8_000, tail: 0.3, deviceDelay: deviceDelay)
      for _ in 0..<2 {
        let result = TestRun.rendered(
          microphone, reference: left, right: right, through: &stage, runs: [80]
        ) { $1.endsFrame = true }
        var canceller = try EchoCanceller(sampleRate: 8_000, tail: 0.3)
        var expected = microphone
        canceller.cancel(
          &expected, left: Signals.delayed(left, by: stage.delay),
          right: Signals.delayed(right, by: stage.delay), blocks: [80])
        XCTAssertEqual(Signals.bits(result.samples), Signals.bits(expected))
        XCTAssertEqual(stage.delay, deviceDelay == 0 ? 0 : 752)
        stage.reset()
      }
    }
  }

  func test_process_deviceDelayChangesInDoubleTalk_cancelsTheEchoAgainWithinASecond() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let rate = 16_000.0
    for (before, after) in [(0.0, 0.23), (0.23, 0.06)] {
      var generator = SeededGenerator(seed: 56)
      let scene = EchoScene(rate: rate, seconds: 9, talk: 3..<9, using: &generator)
      let echo =
        Signals.delayed(scene.echo, by: Int(before * rate))[..<80_000]
        + Signals.delayed(scene.echo, by: Int(after * rate))[80_000...]
      let microphone = scene.near.indices.map { echo[$0] + scene.near[$0] + scene.noise[$0] }
      var stage = EchoStage(sampleRate: rate, tail: 0.192)
      let result = TestRun.rendered(microphone, reference: scene.far, through: &stage) {
        $1.endsFrame = true
      }
      // The residual echo is measured from 1 s after the change on.
      let frames = 96_000..<128_000
      let rest = frames.map { result.samples[$0] - scene.near[$0] }
      let enhancement = 10 * log10(Signals.power(echo[frames]) / Signals.power(rest[...]))
      print("device delay \(before) to \(after) s: \(enhancement) dB")
      XCTAssertGreaterThan(enhancement, 9, "device delay \(before) to \(after) s")
    }
  }

  /// In a room with a long reverberation, the stage finds the delay of 150 ms in the middle of
  /// speech. It then restarts its filter, but it still has the earlier playback.
  func test_process_delayFoundDuringSpeech_cancelsTheEchoSoonInEveryRoom() {
    let rate = 16_000.0
    var reductions: [Double] = []
    for seed: UInt64 in Signals.isSanitized ? 61...61 : 61...68 {
      var generator = SeededGenerator(seed: seed)
      let scene = EchoScene(
        rate: rate, seconds: 3, delay: 0.15, reverberation: 0.6, using: &generator)
      let microphone = scene.microphone
      var stage = EchoStage(sampleRate: rate, tail: 0.192)
      let result = TestRun.rendered(microphone, reference: scene.far, through: &stage) {
        $1.endsFrame = true
      }
      let frames = 16_000..<40_000
      reductions.append(
        10 * log10(Signals.power(microphone[frames]) / Signals.power(result.samples[frames])))
    }
    print("echo reduction from 1 to 2.5 s: \(reductions) dB")
    XCTAssertGreaterThan(reductions.min() ?? 0, 7)
  }

  func test_process_delayFound_anyBlockSizes_giveTheSameBits() {
    let rate = 16_000.0
    var generator = SeededGenerator(seed: 61)
    let scene = EchoScene(
      rate: rate, seconds: 3, delay: 0.15, reverberation: 0.6, using: &generator)
    let results = [[160], [1], [37, 64, 59]].map { runs in
      var stage = EchoStage(sampleRate: rate, tail: 0.192)
      let result = TestRun.rendered(
        scene.microphone, reference: scene.far, through: &stage, runs: runs
      ) { $1.endsFrame = ($0 + $1.frameCount) % 160 == 0 }
      XCTAssertGreaterThan(stage.delay, 0, "\(runs)")
      return Signals.bits(result.samples)
    }
    XCTAssertEqual(results[1], results[0])
    XCTAssertEqual(results[2], results[0])
  }

  func test_process_louderEchoAtAnotherDelay_movesTheFilterToThatDelay() {
    let far = Signals.noise(count: 96_000, seed: 57)
    let echo = Signals.delayed(far, by: 21).map { 0.3 * $0 }
    // From 3 s on, a second echo of the same sound arrives. It is 0.4 s later and 3 dB louder.
    let late = Signals.delayed(far, by: 6_400).enumerated().map { $0 < 48_000 ? 0 : 0.42 * $1 }
    var stage = EchoStage(sampleRate: 16_000, tail: 0.192)
    _ = TestRun.rendered(
      Signals.sum(echo, late), reference: far, through: &stage
    ) { $1.endsFrame = true }
    // The filter starts 6 ms before the second echo. The stage finds the delay of this echo in
    // steps of 4 samples.
    XCTAssertEqual(Double(stage.delay), 6_400 - 96, accuracy: 4)
  }
}
