import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Tests that failures that are known from other processors do not occur in this processor.
final class BandGainProcessorKnownFailuresTests: XCTestCase {
  private let rate = 48_000.0
  private let gains = [0.1, 9.1, 14.1, 19.65, 21.2, 20.75, 21.3, 22.85, 24.4, 24.4]

  func test_invalidSample_withAnyLimiter_isFollowedByTheToneWithoutDCOffset() throws {
    for curves in [gains.map(BandCurve.gain), try Curves.prescribed(3)] {
      for (name, limiter) in Limiters.affordable {
        let processor = try BandGainProcessor(
          spec: ProcessingSpec(sampleRate: rate, channelCount: 1), limiter: limiter)
        try processor.apply(ProcessorSettings(curves: [curves]))
        let values: [Float] = [.nan, .infinity, -.infinity, 1e30, -1e38]
        for value in values.prefix(Signals.isSanitized ? 2 : 5) {
          var input = Signals.sine(1_000, rate: rate, count: 9_600, amplitude: 0.01)
          input[100] = value
          let output = processor.rendered([input], blocks: [64])[0]
          XCTAssertTrue(output.allSatisfy(\.isFinite), "\(name), \(value)")
          // The output contains only the tone. It has no DC offset and stays below full scale.
          let rest = output.suffix(4_800)
          XCTAssertEqual(rest.reduce(0, +) / 4_800, 0, accuracy: 1e-3)
          XCTAssertLessThan(Signals.peak(rest), 0.9)
          XCTAssertGreaterThan(Signals.tone(1_000, in: rest, rate: rate), 0.01)
        }
        let silence = processor.rendered([Signals.silence(72_000)])[0]
        XCTAssertEqual(Signals.peak(silence.suffix(24_000)), 0)
      }
    }
  }

  func test_closelySpacedBands_areAcceptedAndHaveExactGains() throws {
    // A processor with a Fourier transform of acceptable length cannot separate these centre
    // frequencies, because its bins are farther apart.
    for centers in [
      [1_000, 1_040.0], [250, 260, 1_000, 1_020, 4_000], (0..<8).map { 500 + 20 * Double($0) },
    ] {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 1),
        layout: BandLayout(centers: centers))
      var worst = 0.0
      for targets in [centers.map { _ in 12.0 }, centers.indices.map { 10 + Double($0 % 2) }] {
        try processor.apply(
          ProcessorSettings(gains: [targets], outputCeiling: 180, allowsOutputAboveFullScale: true))
        for (center, gain) in zip(centers, targets) {
          worst = max(worst, abs(processor.response(at: center, channel: 0) - gain))
        }
      }
      print("bands at \(centers): within \(worst) dB")
      XCTAssertLessThan(worst, 0.05)
    }
  }

  func test_sameSettingsAppliedAgain_changeNoSample() throws {
    var generator = SeededGenerator(seed: 51)
    let noise = Signals.noise(count: 9_600, amplitude: 0.1, using: &generator)
    for limiter in Limiters.all {
      let settings = ProcessorSettings(gains: [gains], outputCeiling: 95)
      func processor() throws -> BandGainProcessor {
        let processor = try BandGainProcessor(
          spec: ProcessingSpec(sampleRate: rate, channelCount: 1), limiter: limiter.configuration)
        try processor.apply(settings)
        return processor
      }
      let expected = try processor().rendered([noise])[0]
      let disturbed = try processor()
      var output = [Float]()
      for start in stride(from: 0, to: noise.count, by: 100) {
        try disturbed.apply(settings)
        output += disturbed.rendered([Array(noise[start..<start + 100])])[0]
      }
      XCTAssertEqual(Signals.bits(output), Signals.bits(expected), limiter.name)
    }
  }

  func test_gainChangeInOneBand_causesNoStepInAToneInAnotherBand() throws {
    // If the filters cleared their states at each gain change, the tone would start again each
    // time.
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
    var changed = gains
    changed[9] += 0.5
    let tone = Signals.sine(250, rate: rate, count: 48_000, amplitude: 0.1)
    try processor.apply(
      ProcessorSettings(gains: [gains], outputCeiling: 130, allowsOutputAboveFullScale: true))
    var output = [Float]()
    for (round, start) in stride(from: 0, to: tone.count, by: 400).enumerated() {
      try processor.apply(
        ProcessorSettings(
          gains: [round % 2 == 0 ? changed : gains], outputCeiling: 130,
          allowsOutputAboveFullScale: true))
      output += processor.rendered([Array(tone[start..<start + 400])])[0]
    }
    let settled = output[4_800...]
    let step = zip(settled, settled.dropFirst()).map { abs($1 - $0) }.max() ?? 1
    let amplitude = Signals.peak(settled)
    print("a change in another band every 8 ms: greatest step \(step / amplitude) of the amplitude")
    // No step between two output samples is larger than the largest step of the input tone.
    XCTAssertLessThan(step, 1.02 * amplitude * 2 * .pi * 250 / Float(rate))
  }

  func test_leftAndRight_areNotSwapped() throws {
    // The number of frames per block equals the number of channels in some blocks. Other blocks
    // have one frame. The samples are interleaved or planar.
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 2))
    let tones = [500.0, 3_000].map { Signals.sine($0, rate: rate, count: 9_600, amplitude: 0.01) }
    let gains = [Array(repeating: 6.0, count: 10), Array(repeating: -6.0, count: 10)]
    try processor.apply(
      ProcessorSettings(gains: gains, outputCeiling: 130, allowsOutputAboveFullScale: true))
    for blocks in [[1], [2], [4_096]] {
      for isInterleaved in [false, true] {
        processor.reset()
        let output =
          isInterleaved
          ? processor.renderedInterleaved(tones, blocks: blocks)
          : processor.rendered(tones, blocks: blocks)
        func level(_ channel: Int, _ frequency: Double) -> Double {
          Signals.decibels(
            Signals.tone(frequency, in: output[channel].suffix(4_800), rate: rate) / 0.01)
        }
        XCTAssertEqual(level(0, 500), 6, accuracy: 0.05)
        XCTAssertEqual(level(1, 3_000), -6, accuracy: 0.05)
        XCTAssertLessThan(level(0, 3_000), -100)
        XCTAssertLessThan(level(1, 500), -100)
      }
    }
  }

  func test_processors_atDifferentSampleRates_useTheirOwnCoefficients() throws {
    // Each processor computes its coefficients for its own sample rate. Processors with other
    // sample rates do not change them.
    for rate in [48_000.0, 16_000, 44_100, 96_000, 48_000] {
      let layout = try BandLayout(centers: [500, 1_000, 2_000, 4_000])
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 1), layout: layout)
      try processor.apply(
        ProcessorSettings(
          gains: [[5, 10, 15, 20]], outputCeiling: 130, allowsOutputAboveFullScale: true))
      for (center, gain) in zip(layout.centers, [5.0, 10, 15, 20]) {
        let tone = Signals.tone(center, level: 60, rate: rate, seconds: 0.3)
        let output = processor.rendered([tone])[0]
        let level = Signals.level(ofToneAt: center, in: output.suffix(Int(rate / 8)), rate: rate)
        XCTAssertEqual(level, 60 + gain, accuracy: 0.05, "\(center) Hz at \(rate)")
        processor.reset()
      }
    }
  }

  func test_toneOnsetAfterSilence_getsAtMostTheGainAtTheLowerEndOfTheCurve() throws {
    // If the curve were extrapolated to the level of silence, its gain would be 150 dB.
    let curve = try BandCurve(points: [.init(level: 40, gain: 30), .init(level: 90, gain: 0)])
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
    try processor.apply(
      ProcessorSettings(
        curves: [Array(repeating: curve, count: 10)], outputCeiling: 200,
        allowsOutputAboveFullScale: true))
    _ = processor.rendered([Signals.silence(48_000)])
    for gain in processor.levels.channels[0].gains { XCTAssertEqual(gain, 30, accuracy: 0.05) }
    let onset = processor.rendered([
      Signals.tone(1_000, level: 70, rate: rate, seconds: 0.1)
    ])[0]
    let peak = 100 + Signals.decibels(Double(Signals.peak(onset)) / 2.0.squareRoot())
    print("70 dB SPL after silence, at most 30 dB of gain: at most \(peak) dB SPL come out")
    XCTAssertLessThan(peak, 70 + 30 + 1)
  }

  func test_gainReductionByTheLimiter_isReportedInTheLevels() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
    try processor.apply(
      ProcessorSettings(
        gains: [Array(repeating: 20, count: 10)], outputCeiling: 100,
        allowsOutputAboveFullScale: true))
    let tone = Signals.tone(1_000, level: 74, rate: rate, seconds: 0.2)
    _ = processor.rendered([tone])
    XCTAssertEqual(processor.levels.channels[0].limitedFrameCount, 0)
    _ = processor.rendered([tone.map { $0 * 4 }])
    let levels = processor.levels.channels[0]
    XCTAssertGreaterThan(levels.limitedFrameCount, 4_000)
    // After limiting has ended, the processor still reports its statistics.
    _ = processor.rendered([Signals.silence(48_000)])
    let later = processor.levels.channels[0]
    XCTAssertEqual(later.limiterReduction, 0)
    // The level of the second tone is 74 + 12.04 dB SPL, and the gain is 20 dB. Therefore the
    // output would be 6.04 dB above the ceiling.
    XCTAssertEqual(later.greatestLimiterReduction, 6.04, accuracy: 0.05)
    XCTAssertGreaterThanOrEqual(later.limitedFrameCount, levels.limitedFrameCount)
  }

  /// Tests every kind of loud signal with every kind of gain and limiter.
  func test_ceiling_loudSignals_isNeverExceeded() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let count = Signals.isSanitized ? 1_500 : 24_000
    var step = Signals.sine(1_000, rate: rate, count: count, amplitude: 0.005)
    for index in count / 2..<count { step[index] *= 100 }
    let signals: [(String, [Float])] = [
      (
        "speech after digital silence",
        Signals.silence(count / 2)
          + Signals.bursts(count: count, rate: rate, using: &generator)
      ),
      ("40 dB louder at once", step),
      ("full-scale noise", Signals.noise(count: count, amplitude: 1, using: &generator)),
      ("full-scale squares", Signals.square(440, rate: rate, count: count)),
      ("squares of 24 kHz", (0..<count).map { $0 % 2 == 0 ? 1 : -1 }),
    ]
    let fixed = gains.map(BandCurve.gain)
    let limited = try Curves.prescribed(4).map { try $0.limited(toOutput: 95) }
    let kinds = [
      ("linear", fixed), ("compressing", try Curves.prescribed(4)), ("limited", limited),
    ]
    for (kind, curves) in kinds {
      for (limiterName, limiter) in Limiters.affordable {
        var worst = -Double.infinity
        for (name, signal) in signals {
          for ceiling in Signals.isSanitized ? [95] : [70.0, 95, 105] {
            let processor = try BandGainProcessor(
              spec: ProcessingSpec(sampleRate: rate, channelCount: 2), limiter: limiter)
            try processor.apply(
              ProcessorSettings(
                curves: [curves, fixed], outputCeiling: ceiling, allowsOutputAboveFullScale: true))
            let output = processor.rendered([signal, signal.map { -$0 }], blocks: [64])
            for channel in output {
              XCTAssertLessThanOrEqual(
                Double(Signals.peak(channel)), Signals.bound(ceiling),
                "\(name), \(kind), \(limiterName)")
              worst = max(
                worst, Signals.decibels(Double(Signals.peak(channel)) / Signals.bound(ceiling)))
            }
          }
        }
        print("ceiling, \(kind), \(limiterName): \(worst) dB above at most")
      }
    }
  }

  func test_ceiling_settingsChangedAtRandom_isNeverExceeded() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for (name, limiter) in Limiters.all {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 2), limiter: limiter)
      var ceilings = [100.0, 100]
      var isEnabled = false
      var worst = -Double.infinity
      for _ in 0..<(Signals.isSanitized ? 20 : 400) {
        if Bool.random(using: &generator) {
          ceilings = (0..<2).map { _ in Double.random(in: 50...110, using: &generator) }
          isEnabled = Int.random(in: 0..<4, using: &generator) > 0
          let listener = Int.random(in: 0..<10, using: &generator)
          let maximum = Double.random(in: 70...110, using: &generator)
          let compressing = try Curves.prescribed(listener).map {
            try $0.limited(toOutput: maximum)
          }
          let fixed = Signals.hearingLikeGains(
            centers: processor.layout.centers, using: &generator
          ).map(BandCurve.gain)
          try processor.apply(
            ProcessorSettings(
              curves: [compressing, Bool.random(using: &generator) ? fixed : compressing],
              outputCeilings: ceilings, allowsOutputAboveFullScale: true,
              intensity: Double.random(in: 0...1, using: &generator),
              isEnabled: isEnabled, channelLinking: Double.random(in: 0...1, using: &generator)))
        }
        // New settings become active at the start of a sub-block. Therefore the blocks in this test
        // consist of whole sub-blocks.
        let count = 64 * Int.random(in: 1...20, using: &generator)
        let amplitude = Float.random(in: 0...1.5, using: &generator)
        let noise = Signals.noise(count: count, amplitude: amplitude, using: &generator)
        let output = processor.rendered([noise, noise.map { $0 * 0.3 }], blocks: [64])
        guard isEnabled else { continue }
        for channel in 0..<2 {
          let peak = Double(Signals.peak(output[channel]))
          XCTAssertLessThanOrEqual(peak, Signals.bound(ceilings[channel]), name)
          worst = max(worst, Signals.decibels(peak / Signals.bound(ceilings[channel])))
        }
      }
      print("ceiling, settings changed at random, \(name): \(worst) dB above at most")
    }
  }
}
