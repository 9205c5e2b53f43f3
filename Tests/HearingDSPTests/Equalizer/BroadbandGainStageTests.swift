import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

final class BroadbandGainStageTests: XCTestCase {
  private let slots = OwnedRow(
    SettingsSlot(shape: ProcessorShape(channelCount: 2, bandCount: 1)))
  private var slot: Row<SettingsSlot> { slots.row }
  private let numbers = OwnedRow<Float>.filled(0, count: 8)
  private let vectors = OwnedRow<Float4>.filled(.zero, count: 8)

  private var targets: TargetGains {
    TargetGains(
      sections: vectors.row, pastSections: vectors.row,
      broadband: numbers.row, pastBroadband: numbers.row,
      bands: numbers.row, reached: numbers.row)
  }

  private func setGains(_ left: Float, _ right: Float) {
    for (channel, gain) in [left, right].enumerated() {
      slot[0].broadband[channel].amplitude = gain
      slot[0].broadband[channel].octaves = log2(gain)
    }
  }

  private func noise() -> [[Float]] {
    var generator = SeededGenerator(seed: 4)
    return (0..<2).map { _ in Signals.noise(count: 640, using: &generator) }
  }

  func test_process_staticGain_multipliesTheSamplesAndRecordsThePeak() {
    let input = noise()
    setGains(2.5, 0.25)
    for runs in [[256], [1], [7, 100]] {
      var stage = BroadbandGainStage(channelCount: 2)
      stage.begin(slot, targets)
      let bench = StageBench(channels: 2)
      let result = bench.run(input, runs: runs) { stage.process(&$0) }
      XCTAssertEqual(result.work, [input[0].map { $0 * 2.5 }, input[1].map { $0 * 0.25 }])
      XCTAssertEqual(bench.meter(0).chunkFiltered, Signals.peak(result.work[0]))
    }
  }

  func test_process_directOutput_writesToTheHostBuffersOnly() {
    let input = noise()
    setGains(2, 2)
    var stage = BroadbandGainStage(channelCount: 2)
    stage.begin(slot, targets)
    let bench = StageBench(channels: 2)
    bench.isDirect = true
    let result = bench.run(input) { stage.process(&$0) }
    XCTAssertEqual(result.work, input)
    XCTAssertEqual(result.host, input.map { $0.map { $0 * 2 } })
  }

  func test_process_straightRamp_changesTheGainLinearlyToTheNextPoint() {
    setGains(1, 1)
    var stage = BroadbandGainStage(channelCount: 2)
    stage.begin(slot, targets)
    setGains(4, 0.5)
    XCTAssertTrue(stage.differs(from: slot))
    XCTAssertEqual(stage.maximumChange(slot, targets, windowProgress: 0), 2)
    stage.startTransition(slot, targets, MotionRestart(time: nil, stretch: 1, windowProgress: 0))
    let bench = StageBench(channels: 2)
    (bench.ramp, bench.rampLength) = (.straight, 64)
    stage.startRamp(
      to: TransitionPoint(
        time: nil, isWaiting: false, windowProgress: 1, frames: 64, ramp: .straight), slot, targets)
    let ones = [Array(repeating: Float(1), count: 64), Array(repeating: Float(1), count: 64)]
    let result = bench.run(ones, runs: [5, 30]) { stage.process(&$0) }.work
    for index in 0..<64 {
      let fraction = Float(index + 1) / 64
      XCTAssertEqual(result[0][index], 1 + 3 * fraction, accuracy: 1e-6)
      XCTAssertEqual(result[1][index], 1 - 0.5 * fraction, accuracy: 1e-6)
    }
    stage.finishRamp(.straight)
    bench.ramp = .none
    XCTAssertEqual(bench.run(ones) { stage.process(&$0) }.work[0], ones[0].map { $0 * 4 })
  }

  func test_process_curvedRamps_joinSmoothlyAtTheMidpointOfTheGains() {
    setGains(1, 1)
    var stage = BroadbandGainStage(channelCount: 2)
    stage.begin(slot, targets)
    setGains(4, 0.5)
    stage.startTransition(slot, targets, MotionRestart(time: nil, stretch: 1, windowProgress: 0))
    let bench = StageBench(channels: 2)
    (bench.ramp, bench.rampLength) = (.curved, 64)
    let ones = [Array(repeating: Float(1), count: 64), Array(repeating: Float(1), count: 64)]
    // The gain first moves from 1 to 2.5, the midpoint of 1 and 4. After that, it moves from 2.5 to
    // 4.
    var gains: [Float] = [1]
    for _ in 0..<2 {
      stage.startRamp(
        to: TransitionPoint(
          time: nil, isWaiting: false, windowProgress: 1, frames: 64, ramp: .curved), slot, targets)
      gains += bench.run(ones, runs: [5, 30]) { stage.process(&$0) }.work[0]
      stage.finishRamp(.curved)
    }
    XCTAssertEqual(gains[64], 2.5, accuracy: 1e-6)
    XCTAssertEqual(gains[128], 4, accuracy: 1e-6)
    for index in 0...128 {
      let time = Float(index) / 64
      let parabola = time < 1 ? 1.5 * time * time : 3 - 1.5 * (2 - time) * (2 - time)
      XCTAssertEqual(gains[index], 1 + parabola, accuracy: 1e-5)
    }
    bench.ramp = .none
    XCTAssertEqual(bench.run(ones) { stage.process(&$0) }.work[0], ones[0].map { $0 * 4 })
  }

  func test_process_channelWithoutGain_isReportedAsUnchanged() {
    var stage = BroadbandGainStage(channelCount: 2)
    let bench = StageBench(channels: 2)
    bench.flat.insert(1)
    _ = bench.run([[1], [1]]) { stage.process(&$0) }
    XCTAssertFalse(bench.unchanged.contains(0))
    XCTAssertTrue(bench.unchanged.contains(1))
  }
}
