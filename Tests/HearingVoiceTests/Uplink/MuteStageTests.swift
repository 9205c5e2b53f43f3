import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class MuteStageTests: XCTestCase {
  private let ones = Array(repeating: Float(1), count: 1_000)

  func test_process_mutedAndUnmuted_fadesAlongARaisedCosine() {
    var stage = MuteStage(sampleRate: 16_000)
    let result = TestRun.rendered(ones, through: &stage, runs: [100]) { start, run in
      run.isMuted = start >= 200 && start < 600
    }.samples
    for (index, sample) in result.enumerated() {
      let position =
        index < 200
        ? 240 : index < 600 ? max(0, 240 - (index - 199)) : min(240, index - 599)
      let expected = 0.5 - 0.5 * cos(.pi * Double(position) / 240)
      XCTAssertEqual(Double(sample), expected, accuracy: 1e-6, "sample \(index)")
    }
  }

  func test_process_anyRunLengths_giveTheSameBits() {
    let results = [[50], [1], [10, 7, 33]].map { runs in
      var stage = MuteStage(sampleRate: 8_000)
      let result = TestRun.rendered(ones, through: &stage, runs: runs) { start, run in
        run.isMuted = start >= 100
      }
      return Signals.bits(result.samples)
    }
    XCTAssertEqual(Set(results).count, 1)
  }

  func test_reset_whileMuted_startsUnmutedWithoutAFade() {
    var stage = MuteStage(sampleRate: 16_000)
    let muted = TestRun.rendered(ones, through: &stage) { $1.isMuted = true }.samples
    XCTAssertEqual(muted, Signals.silence(1_000))
    stage.reset()
    XCTAssertEqual(TestRun.rendered(ones, through: &stage).samples, ones)
  }
}
