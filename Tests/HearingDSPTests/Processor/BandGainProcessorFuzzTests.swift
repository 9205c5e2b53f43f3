import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Tests that the output is finite and not above the ceiling. The settings are random and valid.
/// The samples have random bit patterns.
///
/// ``RandomProcessing`` reads the number of cases and the first seed from environment variables.
final class BandGainProcessorFuzzTests: XCTestCase {
  private func checkCase(seed: UInt64) throws {
    var random = try RandomProcessing(seed: seed)
    let processor = try random.processor()
    var ceiling: Float = .infinity
    for round in 0..<4 {
      let settings = try random.settings()
      try processor.apply(settings)
      let level = try XCTUnwrap(settings.outputCeilings.first)
      var now = Float(settings.calibration.peakAmplitude(ofSineAt: level))
      if !settings.allowsOutputAboveFullScale { now = min(now, 1) }
      let input = random.input(1_024)
      let blocks = [Int.random(in: 1...1_024, using: &random.generator)]
      let output = processor.rendered(input, blocks: blocks)
      // If a block of the host begins within a sub-block, the processor uses the previous ceiling
      // until the sub-block ends.
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
    for seed in RandomProcessing.seeds(count: Signals.isSanitized ? 2 : 300) {
      try checkCase(seed: seed)
    }
  }

  func test_process_steepCurvesInBandsTenHertzApart_staysBelowFullScale_andRecovers() throws {
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
