import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

final class BandGainProcessorLevelsTests: XCTestCase {
  private let layout = BandLayout.audiometric

  func test_levels_beforeTheFirstFrame_areZero() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let levels = processor.levels
    XCTAssertEqual(levels.channels.count, 2)
    for channel in levels.channels {
      XCTAssertEqual(channel.gains, Array(repeating: 0, count: 10))
      XCTAssertEqual(channel.inputPeak, 0)
      XCTAssertEqual(channel.outputPeak, 0)
      XCTAssertEqual(channel.limiterReduction, 0)
      XCTAssertEqual(channel.greatestLimiterReduction, 0)
      XCTAssertEqual(channel.limitedFrameCount, 0)
    }
  }

  func test_levels_duringATransition_showTheChangingGains() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    let low = Array(repeating: 10.0, count: 10)
    let high = Array(repeating: 20.0, count: 10)
    try processor.apply(ProcessorSettings(gains: [low]))
    _ = processor.rendered([Signals.silence(512)])
    for gain in processor.levels.channels[0].gains { XCTAssertEqual(gain, 10, accuracy: 0.005) }
    XCTAssertEqual(processor.levels.channels[0].targetGains, low)
    try processor.apply(ProcessorSettings(gains: [high]))
    var seen = [Double]()
    for _ in 0..<30 {
      _ = processor.rendered([Signals.silence(32)])
      seen.append(processor.levels.channels[0].gains[4])
    }
    XCTAssertEqual(seen, seen.sorted())
    XCTAssertEqual(seen[14], 15, accuracy: 0.5)
    for gain in processor.levels.channels[0].gains { XCTAssertEqual(gain, 20, accuracy: 0.005) }
    XCTAssertEqual(processor.levels.channels[0].targetGains, high)
  }

  func test_levels_peaks_showTheLoudestSample_andReturnToZeroInSilence() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2),
      limiter: LimiterConfiguration(isLinked: false))
    let flat = Array(repeating: 0.0, count: 10)
    try processor.apply(ProcessorSettings(gains: [flat, flat], outputCeiling: 80))
    var input = [Signals.silence(2_000), Signals.silence(2_000)]
    input[0][700] = -0.5
    input[1][900] = 0.01
    _ = processor.rendered(input, blocks: [64])
    let levels = processor.levels
    XCTAssertEqual(levels.channels[0].inputPeak, 0.5)
    XCTAssertEqual(levels.channels[0].outputPeak, 0.1 * 2.0.squareRoot(), accuracy: 1e-6)
    XCTAssertEqual(levels.channels[1].inputPeak, 0.01, accuracy: 1e-8)
    XCTAssertEqual(levels.channels[1].outputPeak, 0.01, accuracy: 1e-8)
    XCTAssertGreaterThan(levels.channels[0].limitedFrameCount, 0)
    XCTAssertEqual(levels.channels[1].limitedFrameCount, 0)
    XCTAssertEqual(
      levels.channels[0].greatestLimiterReduction,
      Signals.decibels(0.5 / (0.1 * 2.0.squareRoot())), accuracy: 0.01)
    let silence = Signals.silence(10_000)
    _ = processor.rendered([silence, silence])
    XCTAssertEqual(processor.levels.channels[0].inputPeak, 0)
    XCTAssertEqual(processor.levels.channels[0].outputPeak, 0)
    XCTAssertGreaterThan(processor.levels.channels[0].greatestLimiterReduction, 10)
    processor.reset()
    XCTAssertEqual(processor.levels.channels[0].greatestLimiterReduction, 0)
    XCTAssertEqual(processor.levels.channels[0].limitedFrameCount, 0)
  }

  func test_levels_outputPeaks_matchTheOutputOfEachChannel_withEveryLimiter() throws {
    for (name, limiter) in Limiters.all {
      for isEnabled in [true, false] {
        let processor = try BandGainProcessor(
          spec: ProcessingSpec(sampleRate: 48_000, channelCount: 3), limiter: limiter)
        let gains = (0..<3).map { Array(repeating: Double(3 * $0), count: 10) }
        try processor.apply(
          ProcessorSettings(gains: gains, outputCeiling: 90, isEnabled: isEnabled))
        let input = [0.1, 0.9, 0.02].map {
          Signals.sine(1_000, rate: 48_000, count: 2_000, amplitude: $0)
        }
        let output = processor.rendered(input, blocks: [64, 37])
        for channel in 0..<3 {
          XCTAssertEqual(
            processor.levels.channels[channel].outputPeak, Double(Signals.peak(output[channel])),
            accuracy: 1e-6, "\(name), channel \(channel), enabled: \(isEnabled)")
        }
      }
    }
  }

  /// A reported peak is held until the end of the current period, and then for one more period. A
  /// period lasts about 50 ms. At 48 kHz, it has ten chunks of 256 frames.
  func test_levels_peaks_areHeldForTwoPeriodsOfFiftyMilliseconds() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    var input = Signals.silence(2 * 2_560 - 1)
    input[100] = 0.5
    _ = processor.rendered([input], blocks: [64])
    XCTAssertEqual(processor.levels.channels[0].inputPeak, 0.5)
    XCTAssertEqual(processor.levels.channels[0].outputPeak, 0.5)
    _ = processor.rendered([[0]])
    XCTAssertEqual(processor.levels.channels[0].inputPeak, 0)
    XCTAssertEqual(processor.levels.channels[0].outputPeak, 0)
  }

  func test_levels_whileDisabled_showPeaksAndNoLimiting() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    try processor.apply(
      ProcessorSettings(
        gains: [Array(repeating: 0, count: 10)], outputCeiling: 60, isEnabled: false))
    let loud = Signals.square(200, rate: 48_000, count: 4_800, amplitude: 8)
    _ = processor.rendered([loud])
    let channel = processor.levels.channels[0]
    XCTAssertEqual(channel.inputPeak, 8)
    XCTAssertEqual(channel.outputPeak, 8)
    XCTAssertEqual(channel.limitedFrameCount, 0)
  }

  /// In bypass, no limiter reduces the gain.
  func test_levels_disabledAfterLoudSound_showNoLimiterReduction() throws {
    for (name, limiter) in Limiters.all {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2), limiter: limiter)
      var settings = ProcessorSettings(
        gains: Array(repeating: Array(repeating: 0, count: 10), count: 2), outputCeiling: 70)
      try processor.apply(settings)
      let loud = Signals.square(200, rate: 48_000, count: 4_800)
      _ = processor.rendered([loud, loud])
      XCTAssertGreaterThan(processor.levels.channels[1].limiterReduction, 10, name)
      settings.isEnabled = false
      try processor.apply(settings)
      _ = processor.rendered([loud, loud])
      for channel in processor.levels.channels {
        XCTAssertEqual(channel.limiterReduction, 0, name)
      }
    }
  }

  func test_inputLevels_withAnotherCalibration_areShiftedByTheDifference() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    let curve = try Curves.compressing(ratio: 2, gainAt65: 0)
    try processor.apply(
      ProcessorSettings(
        curves: [Array(repeating: curve, count: 10)],
        calibration: Calibration(fullScaleSPL: 120)))
    _ = processor.rendered([Signals.tone(1_000, level: 60, rate: 48_000, seconds: 0.5)])
    let level = try XCTUnwrap(processor.levels.channels[0].inputLevels)[3]
    XCTAssertEqual(level, 80, accuracy: 0.1)
  }

  /// The gains of adjacent third-octave bands differ by 50 dB. The filters cannot reach such gains.
  func test_levels_targetGainsThatFiltersCannotReach_areTheRequestedGains() throws {
    let layout = BandLayout.thirdOctave
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1), layout: layout)
    let requested = layout.centers.indices.map { $0 % 2 == 0 ? 30.0 : -20 }
    let curves = try requested.map { gain in
      try BandCurve(points: [.init(level: 20, gain: gain), .init(level: 100, gain: gain + 1)])
    }
    try processor.apply(ProcessorSettings(curves: [curves]))
    _ = processor.rendered([Signals.silence(4_800)])
    let levels = processor.levels.channels[0]
    for (target, gain) in zip(levels.targetGains, requested) {
      XCTAssertEqual(target, gain, accuracy: 0.001)
    }
    let errors = zip(levels.gains, requested).map { abs($0 - $1) }
    XCTAssertGreaterThan(errors.max() ?? 0, 1)
  }

  func test_reset_whileLimiting_clearsTheStatisticsOfEveryLimiterImmediately() throws {
    let noise = Signals.noise(count: 2_000, amplitude: 0.9, seed: 9)
    for (name, limiter) in Limiters.all {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1), limiter: limiter)
      try processor.apply(
        ProcessorSettings(gains: [Array(repeating: 0, count: 10)], outputCeiling: 80))
      _ = processor.rendered([noise])
      XCTAssertGreaterThan(processor.levels.channels[0].limitedFrameCount, 1_000, name)
      processor.reset()
      let levels = processor.levels.channels[0]
      XCTAssertEqual(levels.inputPeak, 0, name)
      XCTAssertEqual(levels.outputPeak, 0, name)
      XCTAssertEqual(levels.limiterReduction, 0, name)
      XCTAssertEqual(levels.greatestLimiterReduction, 0, name)
      XCTAssertEqual(levels.limitedFrameCount, 0, name)
    }
  }
}
