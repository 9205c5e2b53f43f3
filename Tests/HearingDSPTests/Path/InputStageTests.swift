import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

final class InputStageTests: XCTestCase {
  private let bad: [Float] = [
    .nan, .infinity, -.infinity, 1e30, -17, 1e-25, Float.leastNonzeroMagnitude,
  ]

  private func signal(_ generator: inout SeededGenerator) -> [Float] {
    (0..<700).map { index in
      index % 50 == 7
        ? bad[index / 50 % bad.count] : Float.random(in: -16...16, using: &generator)
    }
  }

  func test_process_replacesInvalidAndTinySamplesWithTheDenormalGuard_andKeepsAllOthers() {
    var generator = SeededGenerator(seed: 1)
    let input = [signal(&generator), signal(&generator)]
    let expected = input.map { samples in
      samples.enumerated().map { index, sample in
        abs(sample) >= 1e-16 && abs(sample) <= 16 ? sample : index % 2 == 0 ? 1e-16 : -1e-16
      }
    }
    for stride in [1, 3] {
      for runs in [[256], [1], [3, 200, 64]] {
        let bench = StageBench(channels: 2)
        var stage = InputStage(channelCount: 2)
        let result = bench.run(input, runs: runs, stride: stride) { stage.process(&$0) }
        XCTAssertEqual(result.work, expected, "stride \(stride), runs \(runs)")
        XCTAssertEqual(bench.meter(0).inputPeak, Signals.peak(expected[0]))
      }
    }
  }

  func test_process_invalidSamples_areReportedForTheirChannelOnly() {
    for value: Float in [.nan, .infinity, 17] {
      let bench = StageBench(channels: 2)
      var stage = InputStage(channelCount: 2)
      _ = bench.run([[0, 0.5, 1e-30], [0, value, 0]]) { stage.process(&$0) }
      XCTAssertFalse(bench.broken.contains(0))
      XCTAssertTrue(bench.broken.contains(1), "\(value)")
    }
  }

  func test_restore_unchangedChannel_isBitIdenticalToTheInput_exceptInvalidSamples() {
    let input: [Float] = [Float.leastNonzeroMagnitude, -0.0, 1e-25, .nan, 0.5]
    let bench = StageBench(channels: 2)
    let stage = InputStage(channelCount: 2)
    bench.flat.insert(1)
    let result = bench.run([input, input]) { run in
      for index in 0..<5 {
        run.workRow(0)[index] = 9
        run.workRow(1)[index] = 9
      }
      run.unchanged.formIntersection(run.flat)
      stage.restore(run)
    }
    XCTAssertEqual(result.work[0], [9, 9, 9, 9, 9])
    XCTAssertEqual(
      Signals.bits(result.work[1]),
      Signals.bits([Float.leastNonzeroMagnitude, -0.0, 1e-25, 0, 0.5]))
    XCTAssertEqual(bench.peak(1), 0.5)
  }
}
