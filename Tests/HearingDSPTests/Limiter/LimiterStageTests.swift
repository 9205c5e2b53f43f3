import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

final class LimiterStageTests: XCTestCase {
  private let rate = 48_000.0

  /// A one-channel limiter that processes sample by sample. It has an immediate attack, a hold
  /// time, and a one-pole release.
  private func reference(_ samples: [Float], ceiling: Double) -> [Double] {
    var (reduction, hold) = (0.0, 0)
    return samples.map { sample in
      if hold > 0 { hold -= 1 } else { reduction *= exp(-1 / (0.060 * rate)) }
      let ratio = abs(Double(sample)) / ceiling
      if ratio > 1 {
        if ratio * (1 - reduction) > 0.96 { hold = 480 }
        reduction = max(reduction, 1 - 1 / ratio)
      }
      return Double(sample) * (1 - reduction)
    }
  }

  private func run(
    _ configuration: LimiterConfiguration, _ input: [[Float]], ceilings: [Float],
    runs: [Int] = [256]
  ) -> [[Float]] {
    let bench = StageBench(channels: input.count)
    for (channel, ceiling) in ceilings.enumerated() { bench.set(channel) { $0.ceiling = ceiling } }
    var stage = LimiterStage(configuration, channelCount: input.count, sampleRate: rate)
    return bench.run(input, runs: runs) { run in
      for channel in input.indices {
        run.peaks[channel] = SampleOperations.peak(run.targets[channel], count: run.count)
      }
      stage.process(&run)
    }.work
  }

  func test_process_unlinked_limitsEachChannelLikeTheReferenceLimiter() {
    var generator = SeededGenerator(seed: 5)
    let input = [
      Signals.bursts(count: 20_000, rate: rate, using: &generator),
      Signals.bursts(count: 20_000, rate: rate, using: &generator),
    ]
    let output = run(
      LimiterConfiguration(isLinked: false), input, ceilings: [0.2, 10], runs: [64])
    for (sample, expected) in zip(output[0], reference(input[0], ceiling: 0.2)) {
      XCTAssertEqual(Double(sample), expected, accuracy: 2e-5)
    }
    XCTAssertEqual(output[1], input[1])
  }

  func test_process_linked_appliesTheSameGainToAllChannels() {
    var generator = SeededGenerator(seed: 6)
    let loud = Signals.bursts(count: 20_000, rate: rate, using: &generator)
    let soft = Signals.sine(500, rate: rate, count: 20_000, amplitude: 0.05)
    let output = run(
      LimiterConfiguration(isLinked: true), [loud, soft], ceilings: [0.2, 0.2], runs: [100])
    let expected = reference(loud, ceiling: 0.2)
    for index in loud.indices where abs(loud[index]) > 0.01 && abs(soft[index]) > 0.01 {
      let gain = expected[index] / Double(loud[index])
      XCTAssertEqual(Double(output[1][index] / soft[index]), gain, accuracy: 1e-4)
    }
  }

  func test_process_withLookAhead_delaysTheInputAndNeverExceedsTheCeiling() {
    var generator = SeededGenerator(seed: 7)
    let input = [Signals.bursts(count: 20_000, rate: rate, using: &generator)]
    let configuration = LimiterConfiguration(lookAhead: 0.002)
    let limited = run(configuration, input, ceilings: [0.2], runs: [64, 31])
    XCTAssertLessThanOrEqual(Signals.peak(limited[0]), 0.2)
    let open = run(configuration, input, ceilings: [10], runs: [64, 31])
    XCTAssertEqual(open[0], Signals.delayed(input[0], by: 96))
  }

  func test_process_knownPeakBelowTheCeiling_doesNotReadTheSamples() {
    let bench = StageBench(channels: 1)
    bench.set(0) { $0.ceiling = 0.5 }
    var stage = LimiterStage(LimiterConfiguration(), channelCount: 1, sampleRate: rate)
    let output = bench.run([[0.4, 0.6]]) { run in
      run.peaks[0] = 0.4
      stage.process(&run)
    }
    XCTAssertEqual(output.work[0], [0.4, 0.6])
  }
}
