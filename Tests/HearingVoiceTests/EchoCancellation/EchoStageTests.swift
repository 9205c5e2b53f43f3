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
}
