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

  func test_process_twoLoudspeakers_returnsTheOutputOfTheCancellerAfterTheDelay() throws {
    var generator = SeededGenerator(seed: 55)
    let left = Signals.noise(count: 8_000, using: &generator)
    let right = Signals.noise(count: 8_000, using: &generator)
    let early = Signals.delayed(left, by: 821).map { 0.3 * $0 }
    let late = Signals.delayed(right, by: 840).map { -0.2 * $0 }
    let microphone = zip(early, late).map { $0 + $1 }
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
}
