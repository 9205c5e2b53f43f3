import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

final class BandGainProcessorTransitionTests: XCTestCase {
  private let gains = [0.1, 9.1, 14.1, 19.65, 21.2, 20.75, 21.3, 22.85, 24.4, 24.4]

  private func splatter(
    rate: Double, from before: ProcessorSettings, to after: ProcessorSettings
  ) throws -> Double {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 1),
      layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)))
    func fitting(_ settings: ProcessorSettings) -> ProcessorSettings {
      var fitting = settings
      fitting.curves = [Array(settings.curves[0].prefix(processor.layout.centers.count))]
      return fitting
    }
    let half = Int(rate)
    try processor.apply(fitting(before))
    // The tone lasts three seconds: one second for settling, one before the change, and one after
    // the change.
    let tone = Signals.sine(1_000, rate: rate, count: 3 * half, amplitude: 0.01)
    _ = processor.rendered([Array(tone[0..<half])])
    let first = processor.rendered([Array(tone[half..<2 * half])])[0]
    try processor.apply(fitting(after))
    let second = processor.rendered([Array(tone[2 * half..<3 * half])])[0]
    return Spectrum.splatter(first + second, rate: rate)
  }

  func test_apply_whileRunning_makesNoClick() throws {
    guard !Signals.isSanitized else {
      throw XCTSkip("two seconds of sound take too long with a sanitizer")
    }
    func settings(_ gains: [Double], isEnabled: Bool = true) -> ProcessorSettings {
      ProcessorSettings(
        gains: [gains], outputCeiling: 140, allowsOutputAboveFullScale: true, isEnabled: isEnabled)
    }
    let flat = Array(repeating: 0.0, count: 10)
    let louder = gains.map { $0 + 20 }
    let changes: [(String, ProcessorSettings, ProcessorSettings)] = [
      ("0 to 20 dB everywhere", settings(flat), settings(flat.map { $0 + 20 })),
      ("20 to 0 dB everywhere", settings(flat.map { $0 + 20 }), settings(flat)),
      ("prescription 20 dB up", settings(gains), settings(louder)),
      ("prescription 20 dB down", settings(louder), settings(gains)),
      ("no gain to prescription", settings(flat), settings(gains)),
      ("prescription to its mirror", settings(gains), settings(gains.reversed())),
      ("enable", settings(gains, isEnabled: false), settings(gains)),
      ("disable", settings(gains), settings(gains, isEnabled: false)),
      ("enable with new gains", settings(flat, isEnabled: false), settings(gains)),
    ]
    for rate in [8_000.0, 16_000, 44_100, 48_000, 96_000] {
      for (name, before, after) in changes {
        let energy = try splatter(rate: rate, from: before, to: after)
        print("\(name) at \(rate): \(energy) dB outside 700–1400 Hz")
        XCTAssertLessThan(energy, -75, "\(name) at \(rate)")
      }
    }
  }

  func test_apply_beforeTheFirstFrame_takesEffectImmediately() throws {
    var generator = SeededGenerator(seed: 6)
    let noise = Signals.noise(count: 4_000, amplitude: 0.01, using: &generator)
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    try processor.apply(ProcessorSettings(gains: [gains]))
    let first = processor.rendered([noise])[0]
    // After a reset, the same input gives the same output as before. Therefore the first rendering
    // contained no transition.
    processor.reset()
    XCTAssertEqual(Signals.bits(processor.rendered([noise])[0]), Signals.bits(first))
    XCTAssertNotEqual(Signals.bits(first), Signals.bits(noise))
  }

  func test_apply_whileRunning_transitionLastsTwentyMilliseconds() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    let flat = Array(repeating: 0.0, count: 10)
    try processor.apply(
      ProcessorSettings(gains: [flat], outputCeiling: 140, allowsOutputAboveFullScale: true))
    _ = processor.rendered([Signals.sine(1_000, rate: 48_000, count: 4_800)])
    try processor.apply(
      ProcessorSettings(
        gains: [flat.map { $0 + 20 }], outputCeiling: 140, allowsOutputAboveFullScale: true))
    let output = processor.rendered([Signals.sine(1_000, rate: 48_000, count: 4_800)])[0]
    func level(_ start: Int) -> Double {
      Double(Signals.peak(output[start..<start + 48])) / 0.1
    }
    XCTAssertEqual(level(0), 1, accuracy: 0.1)
    // After half of the transition time, the gain in dB has changed by half of the total change.
    XCTAssertEqual(Signals.decibels(level(480 - 24)), 10, accuracy: 1)
    XCTAssertEqual(level(960), 10, accuracy: 0.02)
  }

  func test_apply_largeGainChanges_takeTwoOrFourTimesAsLong() throws {
    for rate in [8_000.0, 44_100, 48_000, 192_000] {
      for (change, time) in [(20.0, 0.020), (22, 0.040), (40, 0.040), (45, 0.080), (75, 0.080)] {
        let processor = try BandGainProcessor(
          spec: ProcessingSpec(sampleRate: rate, channelCount: 1),
          layout: BandLayout(centers: [500, 1_000, 2_000]))
        func applyGain(_ gain: Double) throws {
          try processor.apply(
            ProcessorSettings(
              gains: [[gain, gain, gain]], outputCeiling: 200, allowsOutputAboveFullScale: true))
        }
        try applyGain(0)
        _ = processor.rendered([Signals.silence(1_024)])
        try applyGain(change)
        // The transition ends in the sub-block in which the transition time elapses, and not much
        // earlier.
        let frames = Int(time * rate)
        _ = processor.rendered([Signals.silence(frames * 3 / 4)])
        XCTAssertLessThan(processor.levels.channels[0].gains[1], change - 0.5)
        _ = processor.rendered([Signals.silence(frames - frames * 3 / 4 + 64)])
        XCTAssertEqual(processor.levels.channels[0].gains[1], change, accuracy: 0.005)
      }
    }
  }

  func test_apply_againDuringATransition_continuesWithoutAJump() throws {
    var generator = SeededGenerator(seed: 7)
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    let tone = Signals.sine(1_000, rate: 48_000, count: 96_000, amplitude: 0.01)
    try processor.apply(
      ProcessorSettings(gains: [gains], outputCeiling: 140, allowsOutputAboveFullScale: true))
    var previous: Float = 0
    var maximum: Float = 0
    for start in stride(from: 0, to: tone.count, by: 240) {
      let target = Signals.hearingLikeGains(centers: processor.layout.centers, using: &generator)
        .map { min($0, 30) }
      try processor.apply(
        ProcessorSettings(gains: [target], outputCeiling: 140, allowsOutputAboveFullScale: true))
      for sample in processor.rendered([Array(tone[start..<start + 240])])[0] {
        maximum = max(maximum, abs(sample - previous))
        previous = sample
      }
    }
    // A tone of 1 kHz changes by at most 0.13 times its amplitude per sample. The gain is at most
    // 30 dB. If the gain jumped, the output would change by more than this limit.
    XCTAssertLessThan(maximum, 0.01 * 31.7 * 0.15)
  }

  func test_apply_sameGainsWithEveryBlock_doesNotRestartTheTransition() throws {
    let curve = try Curves.compressing(ratio: 2, gainAt65: 50)
    for after in [
      Array(repeating: BandCurve.gain(50), count: 10), Array(repeating: curve, count: 10),
    ] {
      var ends = [Double]()
      for repeats in [false, true] {
        let processor = try BandGainProcessor(
          spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
        var settings = ProcessorSettings(gains: [Array(repeating: 0, count: 10)])
        try processor.apply(settings)
        let tone = Signals.tone(1_000, level: 40, rate: 48_000, seconds: 0.2)
        _ = processor.rendered([tone])
        settings.curves = [after]
        for block in 0..<75 {
          settings.outputCeilings = [110 + Double(block % 2)]
          if repeats || block == 0 { try processor.apply(settings) }
          _ = processor.rendered([Array(tone[block * 64..<block * 64 + 64])])
        }
        ends.append(processor.levels.channels[0].gains[3])
      }
      XCTAssertGreaterThan(ends[0], 45)
      XCTAssertEqual(ends[1], ends[0], accuracy: 0.01)
    }
  }

  /// A transition that begins during another transition lasts 30 ms.
  func test_apply_duringATransition_startsATransitionOfThirtyMilliseconds() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    var progress: [Double] = []
    for (gain, frames) in [(0.0, 480), (6, 480), (12, 960), (12, 576)] {
      try processor.apply(ProcessorSettings(gains: [Array(repeating: gain, count: 10)]))
      _ = processor.rendered([Signals.silence(frames)], blocks: [48])
      progress.append(processor.levels.channels[0].gains[3])
    }
    XCTAssertEqual(progress[1], 3, accuracy: 0.5)
    // This gain was measured 20 ms after the change.
    XCTAssertLessThan(progress[2], 11.5)
    // This gain was measured 32 ms after the change.
    XCTAssertEqual(progress[3], 12, accuracy: 0.001)
  }
}
