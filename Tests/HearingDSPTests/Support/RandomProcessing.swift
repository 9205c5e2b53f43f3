import Foundation
import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Creates a random valid processor, random valid settings for it, and samples with random bit
/// patterns.
struct RandomProcessing {
  let spec: ProcessingSpec
  let layout: BandLayout
  let limiter: LimiterConfiguration
  var generator: SeededGenerator

  init(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rates: [Double] = [8_000, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000]
    let rate = try XCTUnwrap(rates.randomElement(using: &generator))
    let channels = [1, 1, 1, 2, 2, 3].randomElement(using: &generator) ?? 1
    spec = ProcessingSpec(sampleRate: rate, channelCount: channels)
    layout = try Self.layout(rate: rate, &generator)
    limiter = try XCTUnwrap(Limiters.all.randomElement(using: &generator)).configuration
    self.generator = generator
  }

  /// The seeds of several test cases. The first seed is printed, so that a failed test can be
  /// repeated.
  ///
  /// The environment variable `HEARING_FUZZ_CASES` sets the number of cases, and
  /// `HEARING_FUZZ_SEED` sets the first seed.
  static func seeds(count: UInt64) -> [UInt64] {
    func environment(_ name: String) -> UInt64? {
      ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }
    let count = environment("HEARING_FUZZ_CASES") ?? count
    let first = environment("HEARING_FUZZ_SEED") ?? SeededGenerator.freshSeed()
    print("\(count) cases from seed \(first)")
    return (0..<count).map { first &+ $0 }
  }

  func processor() throws -> BandGainProcessor {
    try BandGainProcessor(spec: spec, layout: layout, limiter: limiter)
  }

  /// Enabled settings with random ceilings, curves, linking, calibration and headphone correction.
  mutating func settings() throws -> ProcessorSettings {
    let level = Double.random(in: 0...200, using: &generator)
    let curves = try (0..<spec.channelCount).map { _ in
      try layout.centers.map { _ in try curve() }
    }
    var settings = ProcessorSettings(
      curves: curves, outputCeiling: level, intensity: .random(in: 0...1, using: &generator),
      channelLinking: .random(in: 0...1, using: &generator),
      calibration: Calibration(fullScaleSPL: .random(in: 60...140, using: &generator)))
    settings.allowsOutputAboveFullScale = Bool.random(using: &generator)
    settings.headphone = try headphone()
    return settings
  }

  /// Random samples for every channel.
  mutating func input(_ count: Int) -> [[Float]] {
    (0..<spec.channelCount).map { _ in Signals.arbitrary(count: count, using: &generator) }
  }

  /// A random layout. Usually it has up to ten bands. The bands may be only 10 Hz apart, or close
  /// to the limit of the sample rate. Sometimes it has up to 32 bands. Computing settings for 32
  /// bands needs a hundred times as much time.
  private static func layout(
    rate: Double, _ generator: inout SeededGenerator
  ) throws -> BandLayout {
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

  private mutating func curve() throws -> BandCurve {
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

  private mutating func headphone() throws -> HeadphoneCorrection? {
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
}
