import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Tests how compression behaves over time.
final class BandGainProcessorDynamicsTests: XCTestCase {
  private let rate = 48_000.0

  /// The attack and release times in seconds. The input is a tone at 2 kHz. Its level changes from
  /// 55 to 90 dB SPL and back to 55 dB SPL.
  ///
  /// After the attack time, the output stays within 3 dB of its final level for the loud tone.
  /// After the release time, the output stays within 4 dB of its final level for the soft tone.
  private func times(
    ratio: Double, attackTime: Double, releaseTime: Double
  ) throws -> (attack: Double, release: Double) {
    let curve = try Curves.compressing(
      ratio: ratio, gainAt65: 20, attackTime: attackTime, releaseTime: releaseTime)
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
    try processor.apply(
      ProcessorSettings(
        curves: [Array(repeating: curve, count: 10)], outputCeiling: 150,
        allowsOutputAboveFullScale: true))
    let soft = Int(rate * (0.2 + 8 * releaseTime))
    let loud = Int(rate * (0.1 + 12 * attackTime))
    var tone = Signals.tone(2_000, level: 55, rate: rate, seconds: Double(2 * soft + loud) / rate)
    let step = Float(pow(10, 35.0 / 20))
    for index in soft..<soft + loud { tone[index] *= step }
    let output = processor.rendered([tone], blocks: [64])[0]
    // The peak level over one period of the tone, which has 24 samples.
    func level(_ index: Int) -> Double {
      Signals.decibels(Double(Signals.peak(output[index..<index + 24])))
    }
    let steadyLoud = level(soft + loud - 100)
    let steadySoft = level(output.count - 100)
    var attack = soft + loud - 100
    while attack > soft, abs(level(attack) - steadyLoud) <= 3 { attack -= 1 }
    var release = output.count - 100
    while release > soft + loud, abs(level(release) - steadySoft) <= 4 { release -= 1 }
    return (Double(attack - soft) / rate, Double(release - soft - loud) / rate)
  }

  /// After compression starts, the level detectors settle for 10 ms, rounded up to eight windows of
  /// 64 frames. The gains start to change in the last of these windows.
  func test_apply_firstCompression_changesGainsAfterTenMilliseconds() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
    let tone = Signals.tone(1_000, level: 65, rate: rate, seconds: 0.1)
    try processor.apply(ProcessorSettings(gains: [Array(repeating: 0, count: 10)]))
    _ = processor.rendered([Array(tone[0..<1_024])])
    let curve = try Curves.compressing(ratio: 2, gainAt65: 20)
    try processor.apply(ProcessorSettings(curves: [Array(repeating: curve, count: 10)]))
    let input = Array(tone[1_024..<4_096])
    let output = processor.rendered([input], blocks: [64])[0]
    // Differences of at most 1e-11 do not count as a change of the gain.
    let first = try XCTUnwrap(
      zip(input, output).enumerated().first { abs($1.0 - $1.1) > 1e-11 }
    ).offset
    XCTAssertGreaterThanOrEqual(first, 7 * 64)
    XCTAssertLessThan(first, 8 * 64)
  }

  /// Above the centre frequency of the last band, the gain of this band applies.
  func test_process_compressing_usesTheGainOfTheLastBandAboveItsCenter() throws {
    for center in [8_000.0, 9_500, 11_000] {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
      var curves = try (0..<10).map {
        try Curves.compressing(ratio: 1.01, gainAt65: $0 < 9 ? 10 : 20)
      }
      curves[0] = try Curves.compressing(ratio: 2, gainAt65: 10)
      try processor.apply(ProcessorSettings(curves: [curves]))
      let tone = Signals.tone(center, level: 65, rate: rate, seconds: 0.4)
      let output = processor.rendered([tone])[0]
      let level = Signals.level(ofToneAt: center, in: output[9_600...], rate: rate)
      XCTAssertEqual(level - 65, 20, accuracy: 0.6, "\(center) Hz")
    }
  }

  func test_attackAndReleaseTimes_matchAOnePoleFilterInDecibels() throws {
    guard !Signals.isSanitized else { throw XCTSkip("long signals take too long with a sanitizer") }
    for (ratio, attackTime, releaseTime) in [
      (2.0, 0.005, 0.1), (3, 0.005, 0.1), (3, 0.02, 0.5), (2, 0.05, 0.05), (3, 0.002, 0.03),
    ] {
      let measured = try times(ratio: ratio, attackTime: attackTime, releaseTime: releaseTime)
      let depth = 35 * (1 - 1 / ratio)
      let attack = attackTime * log(depth / 3)
      let release = releaseTime * log(depth / 4)
      print(
        "ratio \(ratio): attack \(measured.attack * 1000) ms, closed form \(attack * 1000);",
        "release \(measured.release * 1000) ms, closed form \(release * 1000)")
      XCTAssertEqual(measured.attack, attack, accuracy: 0.1 * attack + 0.001)
      XCTAssertEqual(measured.release, release, accuracy: 0.1 * release + 0.001)
    }
  }

  func test_steadyTones_compressed_haveLessThan0_1PercentDistortion() throws {
    guard !Signals.isSanitized else { throw XCTSkip("long signals take too long with a sanitizer") }
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
    let steep = try Curves.compressing(ratio: 3, gainAt65: 20)
    let kinds: [(String, [BandCurve])] = [
      ("3:1", Array(repeating: steep, count: 10)), ("N3", try Curves.prescribed(2)),
      ("S2", try Curves.prescribed(8)),
      ("alternate", (0..<10).map { $0 % 2 == 0 ? .gain(5) : steep }),
    ]
    for (name, curves) in kinds {
      try processor.apply(
        ProcessorSettings(curves: [curves], outputCeiling: 150, allowsOutputAboveFullScale: true))
      for (frequency, level) in [(500.0, 70.0), (800, 70), (1_600, 65), (250, 65)] {
        processor.reset()
        let tone = Signals.tone(frequency, level: level, rate: rate, seconds: 2)
        // The processor settles during the first second. The distortion is measured during the
        // second one, in which every tone has a whole number of periods.
        let distortion = Signals.distortion(
          ofToneAt: frequency, in: processor.rendered([tone])[0].suffix(48_000), rate: rate)
        print("\(frequency) Hz at \(level) dB SPL, \(name): distortion and noise \(distortion) dB")
        // A limit of −60 dB corresponds to a distortion of 0.1 %.
        XCTAssertLessThan(distortion, -60)
      }
    }
  }

  func test_channelLinking_steadyTone_keepsTheLevelDifferenceBetweenTheEars() throws {
    let curve = try Curves.compressing(ratio: 3, gainAt65: 20)
    let tone = Signals.tone(1_000, level: 75, rate: rate, seconds: 0.5)
    let softer = tone.map { $0 * Float(pow(10, -10.0 / 20)) }
    for (linking, expected) in [(0.0, 10.0 / 3), (0.5, 20.0 / 3), (1, 10)] {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 2))
      try processor.apply(
        ProcessorSettings(
          curves: Array(repeating: Array(repeating: curve, count: 10), count: 2),
          outputCeiling: 150, allowsOutputAboveFullScale: true, channelLinking: linking))
      let output = processor.rendered([tone, softer])
      let levels = output.map {
        Signals.level(ofToneAt: 1_000, in: $0[12_000...], rate: rate)
      }
      XCTAssertEqual(levels[0] - levels[1], expected, accuracy: 0.1, "linking \(linking)")
      // If the gains of both ears are linked, the level of the louder ear does not change.
      XCTAssertEqual(levels[0], 75 + curve.gain(at: 75), accuracy: 0.1)
      let shown = processor.levels.channels.map { $0.inputLevels?[3] ?? 0 }
      XCTAssertEqual(shown[0], 75, accuracy: 0.1)
      XCTAssertEqual(shown[1], 65, accuracy: 0.1)
    }
  }

  func test_channelLinking_bursts_keepsTheLevelDifferenceBetweenTheEarsAtAllTimes() throws {
    var generator = SeededGenerator(seed: 72)
    let count = Signals.isSanitized ? 12_000 : 96_000
    // The noise keeps the signal above the minimum level that the detectors measure. Below this
    // minimum, the detectors would show no level difference between the ears.
    let near = zip(
      Signals.bursts(count: count, rate: rate, using: &generator),
      Signals.noise(count: count, amplitude: 0.005, using: &generator)
    ).map { 0.2 * $0 + $1 }
    let far = near.map { $0 * Float(pow(10, -10.0 / 20)) }
    let curves = Array(
      repeating: Array(repeating: try Curves.compressing(ratio: 3, gainAt65: 20), count: 10),
      count: 2)
    var means = [Double]()
    for linking in [0.0, 0.5, 1] {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 2))
      try processor.apply(
        ProcessorSettings(
          curves: curves, outputCeiling: 150, allowsOutputAboveFullScale: true,
          channelLinking: linking))
      let output = processor.rendered([near, far], blocks: [64])
      // The levels are compared in frames of 20 ms. The first 100 ms are skipped.
      let differences = stride(from: 4_800, to: count - 960, by: 960).map { start in
        let powers = output.map { $0[start..<start + 960].reduce(0.0) { $0 + Double($1 * $1) } }
        return 10 * log10(powers[0] / powers[1])
      }
      let mean = differences.reduce(0, +) / Double(differences.count)
      means.append(mean)
      let (least, most) = (differences.min() ?? 0, differences.max() ?? 0)
      print("linking \(linking): 10 dB between the ears come out as \(mean), \(least)…\(most) dB")
      if linking == 1 {
        XCTAssertEqual(least, 10, accuracy: 0.5)
        XCTAssertEqual(most, 10, accuracy: 0.5)
      }
    }
    XCTAssertLessThan(means[0], 5.5)
    XCTAssertEqual(means[1], (means[0] + means[2]) / 2, accuracy: 1)
  }

  /// Changes the settings during a tone of 1 kHz at 65 dB SPL. Returns the energy in dB outside
  /// 700–1400 Hz.
  private func splatter(
    rate: Double, from before: [BandCurve], wasEnabled: Bool = true,
    to after: [BandCurve], isEnabled: Bool = true
  ) throws -> Double {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 1),
      layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)))
    let count = processor.layout.centers.count
    func settings(_ curves: [BandCurve], _ isEnabled: Bool) -> ProcessorSettings {
      ProcessorSettings(
        curves: [Array(curves.prefix(count))], outputCeiling: 150, allowsOutputAboveFullScale: true,
        isEnabled: isEnabled)
    }
    let second = Int(rate)
    let tone = Signals.tone(1_000, level: 65, rate: rate, seconds: 2)
    try processor.apply(settings(before, wasEnabled))
    _ = processor.rendered([Array(tone[..<second])])
    let start = processor.rendered([Array(tone[..<second])])[0]
    try processor.apply(settings(after, isEnabled))
    let end = processor.rendered([Array(tone[second...])])[0]
    return Spectrum.splatter(start + end, rate: rate)
  }

  func test_settingsChangedWhileCompressing_makeNoClick() throws {
    guard !Signals.isSanitized else { throw XCTSkip("long signals take too long with a sanitizer") }
    let gentle = try Curves.compressing(ratio: 1.5, gainAt65: 5)
    let steep = try Curves.compressing(ratio: 3, gainAt65: 25)
    // The tone is very soft in the high bands. The gains of these bands are up to 60 dB higher than
    // the gain of the tone.
    let prescriptions: [(String, [BandCurve])] = [
      ("fixed", Array(repeating: .gain(15), count: 10)),
      ("N3", try Curves.prescribed(2)), ("N5", try Curves.prescribed(4)),
      ("S2", try Curves.prescribed(8)), ("S3", try Curves.prescribed(9)),
    ]
    let others: [(String, [BandCurve])] = [
      ("flat", Array(repeating: .gain(0), count: 10)),
      ("gentle", Array(repeating: gentle, count: 10)),
      ("steep", Array(repeating: steep, count: 10)),
      ("alternate", (0..<10).map { $0 % 2 == 0 ? .gain(5) : steep }),
    ]
    for rate in [8_000.0, 16_000, 44_100, 48_000, 96_000] {
      let kinds = rate == 48_000 ? prescriptions + others : prescriptions
      var (loudest, place) = (-Double.infinity, "")
      func check(_ energy: Double, _ name: String) {
        XCTAssertLessThan(energy, -75, "\(name) at \(rate)")
        if energy > loudest { (loudest, place) = (energy, name) }
      }
      for (first, before) in kinds {
        for (second, after) in kinds where first != second {
          check(try splatter(rate: rate, from: before, to: after), "\(first) to \(second)")
        }
        check(
          try splatter(rate: rate, from: before, wasEnabled: false, to: before),
          "enabling \(first)")
        check(
          try splatter(rate: rate, from: before, to: before, isEnabled: false),
          "disabling \(first)")
      }
      print("changes at \(rate): at most \(loudest) dB outside 700–1400 Hz, \(place)")
    }
  }

  /// Creates a processor with one channel and `curve` in every band. The limiter of the processor
  /// is never active.
  private func compressing(_ curve: BandCurve, rate: Double = 48_000) throws -> BandGainProcessor {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 1),
      layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)))
    try processor.apply(settings(curve, processor))
    return processor
  }

  private func settings(_ curve: BandCurve, _ processor: BandGainProcessor) -> ProcessorSettings {
    ProcessorSettings(
      curves: [processor.layout.centers.map { _ in curve }], outputCeiling: 150,
      allowsOutputAboveFullScale: true)
  }

  /// New curves may end below the current level of the signal. In this case, the processor sets its
  /// measured level to the end of the curve. During the change, the gain stays between the old and
  /// the new gain. After that, the level decays from the end of the curve.
  func test_apply_curvesThatEndBelowTheCurrentLevel_lowerTheLevelToTheEndOfTheCurve() throws {
    let long = try BandCurve(
      points: [.init(level: 0, gain: 30), .init(level: 110, gain: 8)], releaseTime: 0.5)
    let short = try BandCurve(
      points: [.init(level: 45, gain: 30), .init(level: 60, gain: 0)], releaseTime: 0.5)
    let processor = try compressing(long)
    let loud = Signals.tone(1_000, level: 100, rate: rate, seconds: 0.5)
    _ = processor.rendered([loud])
    let before = processor.levels.channels[0].gains[3]
    XCTAssertEqual(before, 10, accuracy: 0.3)
    try processor.apply(settings(short, processor))
    for _ in 0..<100 {
      _ = processor.rendered([Array(loud[..<48])])
      let gain = processor.levels.channels[0].gains[3]
      XCTAssertGreaterThan(gain, -0.5)
      XCTAssertLessThan(gain, before + 0.5)
    }
    // The measured level determines the gain. It decays from 60 to 45 dB SPL with a time constant
    // of 0.5 s.
    let soft = Signals.tone(1_000, level: 45, rate: rate, seconds: 0.5)
    _ = processor.rendered([soft])
    let level = 45 + 15 * exp(-1.0)
    XCTAssertEqual(
      processor.levels.channels[0].gains[3], short.gain(at: level), accuracy: 1)
  }

  /// The filter gains are correct before the first input sample, even if the curves of adjacent
  /// bands differ.
  func test_process_firstFrame_hasTheGainsOfTheCurves() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
    let curves = try (0..<10).map {
      try Curves.compressing(ratio: 2, gainAt65: $0 % 2 == 0 ? 25 : 5)
    }
    try processor.apply(ProcessorSettings(curves: [curves]))
    _ = processor.rendered([Signals.silence(1)])
    let levels = processor.levels.channels[0]
    for (gain, target) in zip(levels.gains, levels.targetGains) {
      XCTAssertEqual(gain, target, accuracy: 0.05)
    }
  }

  /// The processor rejects samples that are NaN or infinite. The reported levels stay constant
  /// until such samples no longer affect the detectors.
  func test_levels_gapOfRejectedSamples_doesNotLowerTheLevels() throws {
    let curve = try BandCurve(
      points: [.init(level: -100, gain: 0), .init(level: 100, gain: 1)], attackTime: 0,
      releaseTime: 0)
    let cases = [
      (band: 1, frequency: 500.0, gap: 16, deviation: 0.8), (3, 1_000, 60, 1), (5, 2_000, 60, 0.5),
    ]
    for (band, frequency, gap, deviation) in cases {
      for start in stride(from: 0, to: 64, by: 16) {
        let processor = try compressing(curve)
        var tone = Signals.tone(frequency, level: 80, rate: rate, seconds: 0.2)
        for index in 6_400 + start..<6_400 + start + gap { tone[index] = .nan }
        _ = processor.rendered([Array(tone[..<6_400])])
        for window in stride(from: 6_400, to: 9_600, by: 64) {
          _ = processor.rendered([Array(tone[window..<window + 64])])
          let level = try XCTUnwrap(processor.levels.channels[0].inputLevels)[band]
          XCTAssertEqual(level, 80, accuracy: deviation, "\(frequency) Hz, frame \(window)")
        }
      }
    }
  }

  /// The level of two tones in one band does not depend on their relative phase. This is also true
  /// at low sample rates.
  func test_levels_twoTonesInOneBand_doNotDependOnTheirRelativePhase() throws {
    let curve = try BandCurve(
      points: [.init(level: -100, gain: 0), .init(level: 100, gain: 1)])
    for rate in [16_000.0, 32_000] {
      let processor = try compressing(curve, rate: rate)
      var levels: [Double] = []
      for phase in [0, 0.25, 0.5, 0.75] {
        processor.reset()
        let count = Int(rate / 2)
        let one = Signals.sine(3_000, rate: rate, count: count)
        let other = Signals.sine(
          3_000 + rate / 4, rate: rate, count: count, phase: 2 * .pi * phase)
        _ = processor.rendered([zip(one, other).map { $0 + 0.5 * $1 }])
        levels.append(try XCTUnwrap(processor.levels.channels[0].inputLevels)[7])
      }
      let spread = (levels.max() ?? 0) - (levels.min() ?? 0)
      XCTAssertLessThan(spread, 0.3, "\(levels) at \(rate)")
    }
  }
}
