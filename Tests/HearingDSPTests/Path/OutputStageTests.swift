import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

final class OutputStageTests: XCTestCase {
  private let length = 480

  /// The gain of the processed samples, `frames` frames after the start of a cross-fade.
  private func processedGain(after frames: Int) -> Double {
    let x = Double(min(frames, length)) / Double(length)
    return x - sin(2 * .pi * x) / (2 * .pi)
  }

  private func output(latency: Int = 0, isEnabled: Bool, startsEnabled: Bool) -> [Float] {
    let bench = StageBench(channels: 1)
    bench.set(0) { $0.ceiling = 10 }
    bench.fade.settle(isOn: startsEnabled)
    bench.fade.isOn = isEnabled
    var stage = OutputStage(channelCount: 1, latency: latency, sampleRate: 48_000, fade: bench.fade)
    return bench.run([Array(repeating: 1, count: 1_000)], runs: [100, 7]) { run in
      // All processed samples are −1.
      for index in 0..<run.count { run.workRow(0)[index] = -1 }
      run.peaks[0] = 1
      stage.process(&run)
    }.host[0]
  }

  func test_process_whenEnabled_fadesFromUnprocessedToProcessed() {
    let output = output(isEnabled: true, startsEnabled: false)
    for index in output.indices {
      XCTAssertEqual(Double(output[index]), 1 - 2 * processedGain(after: index + 1), accuracy: 1e-6)
    }
  }

  func test_process_whenDisabled_fadesToUnprocessed_andThenPassesTheInputUnchanged() {
    let output = output(isEnabled: false, startsEnabled: true)
    for index in output.indices {
      XCTAssertEqual(
        Double(output[index]), 1 - 2 * processedGain(after: max(0, length - index - 1)),
        accuracy: 1e-6)
    }
  }

  func test_process_disabledWithLatency_delaysTheUnprocessedInput() {
    let output = output(latency: 48, isEnabled: false, startsEnabled: false)
    XCTAssertEqual(
      output, Array(repeating: Float(0), count: 48) + Array(repeating: Float(1), count: 952))
  }

  func test_process_directOutput_measuresThePeakAndWritesNothing() {
    let bench = StageBench(channels: 1)
    bench.isDirect = true
    var stage = OutputStage(channelCount: 1, latency: 0, sampleRate: 48_000, fade: bench.fade)
    let input: [Float] = [0.25, -0.75, 0.5]
    let result = bench.run([input]) { run in
      run.peaks[0] = RenderRun.unknownPeak
      stage.process(&run)
    }
    XCTAssertEqual(result.host[0], input)
    XCTAssertEqual(bench.meter(0).outputPeak, 0.75)
  }
}
