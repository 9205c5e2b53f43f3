import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

final class BandGainProcessorCeilingTests: XCTestCase {
  private let gains = [0.1, 9.1, 14.1, 19.65, 21.2, 20.75, 21.3, 22.85, 24.4, 24.4]
  private let count = Signals.isSanitized ? 6_000 : 96_000

  private func processor(
    _ limiter: LimiterConfiguration = LimiterConfiguration()
  ) throws -> BandGainProcessor {
    try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1), limiter: limiter)
  }

  func test_process_loudSignals_neverExceedTheCeiling() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var step = Signals.sine(1_000, rate: 48_000, count: count, amplitude: 0.005)
    for index in count / 2..<count { step[index] *= 100 }
    let signals: [(String, [Float])] = [
      ("noise", Signals.noise(count: count, amplitude: 1, using: &generator)),
      ("square", Signals.square(440, rate: 48_000, count: count)),
      ("step of 40 dB", step),
      (
        "bursts after silence",
        Signals.silence(2_000)
          + Signals.bursts(count: count, rate: 48_000, using: &generator)
      ),
    ]
    for ceiling in [60.0, 80, 95, 105] {
      for (name, signal) in signals {
        let processor = try processor()
        try processor.apply(
          ProcessorSettings(
            gains: [gains], outputCeiling: ceiling, allowsOutputAboveFullScale: true))
        let output = processor.rendered([signal], blocks: [64])[0]
        XCTAssertLessThanOrEqual(
          Double(Signals.peak(output)), Signals.bound(ceiling), "\(name) at \(ceiling) dB SPL")
        XCTAssertGreaterThan(Double(Signals.peak(output)), Signals.bound(ceiling) * 0.99, name)
        XCTAssertGreaterThan(processor.levels.channels[0].limitedFrameCount, 0)
      }
    }
  }

  func test_process_settingsChangedAtRandom_neverExceedsTheActiveCeiling() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let processor = try processor()
    let input = Signals.noise(count: count * 2, amplitude: 1, using: &generator)
    var ceiling = 100.0
    var isEnabled = true
    var start = 0
    while start < input.count {
      if Bool.random(using: &generator) {
        ceiling = Double.random(in: 60...110, using: &generator)
        isEnabled = Int.random(in: 0..<4, using: &generator) > 0
        try processor.apply(
          ProcessorSettings(
            gains: [Signals.hearingLikeGains(centers: processor.layout.centers, using: &generator)],
            outputCeiling: ceiling, allowsOutputAboveFullScale: true,
            intensity: Double.random(in: 0...1, using: &generator),
            isEnabled: isEnabled))
      }
      // New settings become active at the start of a sub-block of 32 frames. Therefore the length
      // of each block in this test is a multiple of 32.
      let length = min(32 * Int.random(in: 1...40, using: &generator), input.count - start)
      let output = processor.rendered([Array(input[start..<start + length])])[0]
      if isEnabled, processor.settingsPublished > 0 {
        XCTAssertLessThanOrEqual(Double(Signals.peak(output)), Signals.bound(ceiling))
      }
      start += length
    }
  }

  /// Measures by how many dB a loud tone exceeds the ceiling. At the tested phases, the peaks of
  /// the tone are between its samples.
  func test_process_loudTones_exceedTheCeilingByUpTo1_25dB_orNotAtAllWithTruePeak() throws {
    for (isTruePeak, maximumExcess) in [(false, 1.25), (true, 0)] {
      var largest = -Double.infinity
      for frequency in [500.0, 4_000, 6_000, 7_990, 8_000] {
        for phase in 0..<5 {
          let processor = try processor(LimiterConfiguration(isTruePeak: isTruePeak))
          try processor.apply(
            ProcessorSettings(
              gains: [Array(repeating: 0, count: 10)], outputCeiling: 90,
              allowsOutputAboveFullScale: true))
          // Each phase is a fifth of a sample later than the previous phase.
          let long = Signals.sine(frequency, rate: 480_000, count: 10 * count, amplitude: 1)
          let tone = stride(from: phase * 2, to: long.count, by: 10).map { long[$0] }
          let settled = Array(processor.rendered([tone])[0].suffix(count / 2))
          // An RMS of 1.0 represents 100 dB SPL.
          let level = 100 + Signals.decibels(Signals.power(settled).squareRoot())
          largest = max(largest, level - 90)
          XCTAssertGreaterThan(level, 89, "\(frequency) Hz, phase \(phase)")
        }
      }
      print("tones exceed the ceiling by at most \(largest) dB, true peak: \(isTruePeak)")
      XCTAssertEqual(largest, maximumExcess, accuracy: 0.05, "true peak: \(isTruePeak)")
    }
  }

  func test_process_toneAboveCeiling_limiterLowersItWithoutClipping() throws {
    let processor = try processor()
    let flat = Array(repeating: 0.0, count: 10)
    // The level of the tone is 12 dB above the ceiling.
    try processor.apply(ProcessorSettings(gains: [flat], outputCeiling: 88))
    let amplitude = 2.0.squareRoot()
    let output = processor.rendered(
      [Signals.sine(1_000, rate: 48_000, count: 48_000, amplitude: amplitude)])[0]
    let settled = output[24_000...]
    let level = Signals.tone(1_000, in: settled, rate: 48_000)
    let third = Signals.tone(3_000, in: settled, rate: 48_000)
    XCTAssertEqual(Signals.decibels(level / amplitude), -12, accuracy: 0.1)
    print("third harmonic of a limited tone: \(Signals.decibels(third / level)) dB")
    // A clipper would cause a third harmonic of −12 dB.
    XCTAssertLessThan(Signals.decibels(third / level), -60)
    XCTAssertEqual(processor.levels.channels[0].limiterReduction, 12, accuracy: 0.1)
  }

  func test_process_afterLoudSound_limiterReturnsExactlyToUnityGain() throws {
    var generator = SeededGenerator(seed: 5)
    let processor = try processor()
    let flat = Array(repeating: 0.0, count: 10)
    try processor.apply(ProcessorSettings(gains: [flat], outputCeiling: 80))
    let loud = Signals.sine(500, rate: 48_000, count: 4_800, amplitude: 1)
    _ = processor.rendered([loud])
    XCTAssertGreaterThan(processor.levels.channels[0].limiterReduction, 10)
    _ = processor.rendered([Signals.silence(60_000)])
    XCTAssertEqual(processor.levels.channels[0].limiterReduction, 0)
    let soft = Signals.noise(count: 2_000, amplitude: 0.05, using: &generator)
    XCTAssertEqual(Signals.bits(processor.rendered([soft])[0]), Signals.bits(soft))
  }

  func test_process_calibration_setsTheAmplitudeOfTheCeiling() throws {
    for fullScale in [80.0, 100, 120] {
      let processor = try processor()
      try processor.apply(
        ProcessorSettings(
          gains: [gains], outputCeiling: 90, allowsOutputAboveFullScale: true,
          calibration: Calibration(fullScaleSPL: fullScale)))
      let output = processor.rendered([
        Signals.square(300, rate: 48_000, count: 9_600, amplitude: 4)
      ])
      XCTAssertEqual(
        Double(Signals.peak(output[0])), 2.0.squareRoot() * pow(10, (90 - fullScale) / 20),
        accuracy: 1e-3 * pow(10, (90 - fullScale) / 20))
    }
  }

  func test_process_defaultSettings_neverExceedFullScale() throws {
    let gains = [Array(repeating: 30.0, count: 10)]
    let sine = Signals.sine(
      1_000, rate: 48_000, count: 9_600, amplitude: Calibration().peakAmplitude(ofSineAt: 80))
    let processor = try BandGainProcessor(spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    try processor.apply(ProcessorSettings(gains: gains))
    let limited = Signals.peak(processor.rendered([sine])[0])
    XCTAssertLessThanOrEqual(limited, 1)
    XCTAssertGreaterThan(limited, 0.9)
    var open = ProcessorSettings(gains: gains)
    open.allowsOutputAboveFullScale = true
    try processor.apply(open)
    _ = processor.rendered([sine])
    let peak = Signals.peak(processor.rendered([sine])[0])
    XCTAssertEqual(
      Double(peak), Calibration().peakAmplitude(ofSineAt: 105), accuracy: 0.15)
  }
}
