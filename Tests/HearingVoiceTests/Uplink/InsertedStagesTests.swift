import SignalTestSupport
import XCTest

@testable import HearingVoice

final class InsertedStagesTests: XCTestCase {
  func test_process_severalStages_runInOrder() {
    let double = UplinkStage { _, samples, count in
      for index in 0..<count { samples[index] *= 2 }
    }
    let increment = UplinkStage { _, samples, count in
      for index in 0..<count { samples[index] += 1 }
    }
    let input: [Float] = [0, 1, -3, 0.5, 7]
    var stages = InsertedStages([double, increment, double])
    XCTAssertEqual(
      TestRun.rendered(input, through: &stages, runs: [2]).samples, input.map { 4 * $0 + 2 })
  }

  func test_process_noStages_changesNothing() {
    var stages = InsertedStages([])
    XCTAssertEqual(TestRun.rendered([1, 2], through: &stages).samples, [1, 2])
  }
}
