import HearingBuffers
import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

/// Tests the steps of one filter, without the comparison of two filters.
final class RoomFilterTests: XCTestCase {
  /// The filter was replaced by a second filter for a trial. During the trial, the signals of the
  /// two loudspeakers begin to differ. Then the trial fails and the first filter is restored. After
  /// that, the first filter must also cancel the echo of the difference of the two signals.
  func test_restore_afterTheLoudspeakersBeganToDiffer_stillAdaptsToTheDifference() {
    let plan = EchoPlan(sampleRate: 8_000, tail: 0.064)
    let transform = RealTransform(length: 2 * plan.block)
    var generator = SeededGenerator(seed: 56)
    let samples = OwnedRow<Float>.filled(0, count: 2 * plan.block)
    samples.row.write(Signals.noise(count: plan.block, using: &generator))
    var history = ReferenceHistory(plan: plan)
    history.push(samples.row, difference: samples.row, transform: transform)
    let error = Spectra(stride: plan.stride, count: 1)
    transform.forward(samples.row, to: error)

    var room = RoomFilter(plan: plan, sampleRate: 8_000)
    var other = Spectra(stride: plan.stride, count: 2 * plan.partitions)
    room.replace(with: &other, gain: 1, partitions: plan.partitions)
    room.raiseUncertainty(channel: 1, gain: 1)
    room.restore(from: &other)
    let heads = OwnedRow<Float>.filled(0, count: 2 * plan.block)
    room.adapt(
      to: history, error: error, transform: transform,
      heads: (heads.row, heads.row.from(plan.block)))
    XCTAssertGreaterThan(room.response.power(plan.partitions), 0)
  }
}
