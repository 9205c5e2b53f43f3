import Foundation
import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Any legal settings and samples of any bit pattern: the output is finite and below the ceiling.
///
/// `HEARING_FUZZ_CASES` sets the number of cases, `HEARING_FUZZ_SEED` the seed of the first.
final class BandGainProcessorFuzzTests: XCTestCase {
  private func environment(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
  }

  /// Mostly up to ten bands, also 10 Hz apart and close to the limit of the sample rate; sometimes 32,
  /// whose settings take a hundred times as long to solve.
  private func layout(rate: Double, _ generator: inout SeededGenerator) throws -> BandLayout {
    let limit = 0.45 * rate
    let isWide = Int.random(in: 0..<40, using: &generator) == 0
    switch Int.random(in: 0..<3, using: &generator) {
    case 0:
      let layout = isWide ? BandLayout.thirdOctave : BandLayout.audiometric
      return try XCTUnwrap(layout.limited(to: rate))
    case 1:
      let count = Int.random(in: 1...(isWide ? 32 : 8), using: &generator)
      let first = Double.random(in: 20...limit - 10 * Double(count) - 1, using: &generator)
      return try BandLayout(centers: (0..<count).map { first + 10 * Double($0) })
    default:
      let count = Int.random(in: 1...8, using: &generator)
      let centers = (0..<count).map { _ in Double.random(in: 20..<limit, using: &generator) }
      return try BandLayout(centers: Set(centers).sorted())
    }
  }

  private func curve(_ generator: inout SeededGenerator) throws -> BandCurve {
    if Bool.random(using: &generator) { return .gain(.random(in: -80...80, using: &generator)) }
    var level = Double.random(in: -50...60, using: &generator)
    let points = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
      level += Double.random(in: 0.01...40, using: &generator)
      return BandCurve.Point(level: level, gain: .random(in: -80...80, using: &generator))
    }
    return try BandCurve(
      points: points, attackTime: Bool.random(using: &generator) ? 0 : 0.01,
      releaseTime: Bool.random(using: &generator) ? 0 : 0.1,
      maximumOutput: Bool.random(using: &generator) ? nil : .random(in: 0...200, using: &generator))
  }

  private func samples(_ count: Int, _ generator: inout SeededGenerator) -> [Float] {
    let kind = Int.random(in: 0..<5, using: &generator)
    let amplitude = Float(pow(10, Double.random(in: -8...4, using: &generator)))
    return (0..<count).map { index in
      switch kind {
      case 0: Float(bitPattern: UInt32.random(in: .min ... .max, using: &generator))
      case 1: index % 97 < 48 ? amplitude : -amplitude
      case 2: 0
      default: Float.random(in: -amplitude...amplitude, using: &generator)
      }
    }
  }

  private func headphone(_ generator: inout SeededGenerator) throws -> HeadphoneCorrection? {
    guard Int.random(in: 0..<3, using: &generator) == 0 else { return nil }
    let sections = try (0..<Int.random(in: 0...10, using: &generator)).map { _ in
      HeadphoneCorrection.Section(
        try XCTUnwrap(HeadphoneCorrection.Section.Kind.allCases.randomElement(using: &generator)),
        frequency: 10 * pow(4_000, Double.random(in: 0...1, using: &generator)),
        gain: .random(in: -40...40, using: &generator),
        quality: 0.05 * pow(1_000, Double.random(in: 0...1, using: &generator)))
    }
    return try HeadphoneCorrection(
      sections: sections, preampGain: .random(in: -40...20, using: &generator))
  }

  private func checkCase(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rates: [Double] = [8_000, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000]
    let rate = try XCTUnwrap(rates.randomElement(using: &generator))
    let channels = [1, 1, 1, 2, 2, 3].randomElement(using: &generator) ?? 1
    let layout = try layout(rate: rate, &generator)
    let limiter = try XCTUnwrap(Limiters.all.randomElement(using: &generator)).configuration
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: channels), layout: layout,
      limiter: limiter)
    var ceiling: Float = .infinity
    for round in 0..<4 {
      let level = Double.random(in: 0...200, using: &generator)
      let curves = try (0..<channels).map { _ in
        try layout.centers.map { _ in try curve(&generator) }
      }
      var settings = ProcessorSettings(
        curves: curves, outputCeiling: level, intensity: .random(in: 0...1, using: &generator),
        channelLinking: .random(in: 0...1, using: &generator),
        calibration: Calibration(fullScaleSPL: .random(in: 60...140, using: &generator)))
      settings.allowsOutputAboveFullScale = Bool.random(using: &generator)
      settings.headphone = try headphone(&generator)
      try processor.apply(settings)
      var now = Float(settings.calibration.peakAmplitude(ofSineAt: level))
      if !settings.allowsOutputAboveFullScale { now = min(now, 1) }
      let input = (0..<channels).map { _ in samples(1_024, &generator) }
      let blocks = [Int.random(in: 1...1_024, using: &generator)]
      let output = processor.rendered(input, blocks: blocks)
      // A block that begins before an edge starts with the previous ceiling.
      let bound = max(ceiling == .infinity ? 0 : ceiling, now)
      for (channel, samples) in output.enumerated() {
        for (frame, sample) in samples.enumerated() where !(abs(sample) <= bound) {
          return XCTFail(
            "seed \(seed), round \(round), channel \(channel), frame \(frame): \(sample) "
              + "above \(bound)")
        }
      }
      ceiling = now
    }
  }

  func test_process_anySettingsAndSamples_staysFiniteAndBelowTheCeiling() throws {
    let count = environment("HEARING_FUZZ_CASES") ?? (Signals.isUnoptimized ? 2 : 300)
    let first = environment("HEARING_FUZZ_SEED") ?? SeededGenerator.freshSeed()
    print("\(count) cases from seed \(first)")
    for index in 0..<count { try checkCase(seed: first &+ index) }
  }

  func test_process_steepCurvesInBandsTenHertzApart_recovers() throws {
    let layout = try BandLayout(centers: (0..<8).map { 18_000 + 10 * Double($0) })
    let curves = try (0..<8).map { band in
      try BandCurve(points: [
        .init(level: 40, gain: band % 2 == 0 ? 80 : -80),
        .init(level: 41, gain: band % 2 == 0 ? -80 : 80),
      ])
    }
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1), layout: layout)
    try processor.apply(ProcessorSettings(curves: [curves]))
    var generator = SeededGenerator(seed: 9)
    let bursts = Signals.bursts(count: 24_000, rate: 48_000, using: &generator)
    let output = processor.rendered([bursts], blocks: [64])[0]
    XCTAssertTrue(output.allSatisfy { abs($0) <= 1 })
    try processor.apply(ProcessorSettings(curves: [layout.centers.map { _ in .gain(0) }]))
    // The limiter needs time to recover.
    _ = processor.rendered([Signals.silence(96_000)])
    let input = Signals.sine(1_000, rate: 48_000, count: 4_800)
    XCTAssertEqual(processor.rendered([input])[0], input)
  }
}
