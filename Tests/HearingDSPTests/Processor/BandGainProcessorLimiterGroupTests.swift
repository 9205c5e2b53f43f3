import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Tests which channels a linked limiter limits together. Also tests what happens when new settings
/// change these groups of channels.
final class BandGainProcessorLimiterGroupTests: XCTestCase {
  private let rate = 48_000.0
  private let flat = Array(repeating: 0.0, count: 10)

  /// Settings with the same gain in all bands of a channel.
  private func settings(_ gains: [Double], intensity: Double = 1) -> ProcessorSettings {
    ProcessorSettings(gains: gains.map { gain in flat.map { _ in gain } }, intensity: intensity)
  }

  /// A tone with an RMS level of `level` dB SPL and a frequency of `frequency` Hz.
  private func tone(_ level: Double, _ frequency: Double = 1_000, seconds: Double = 1) -> [Float] {
    Signals.tone(frequency, level: level, rate: rate, seconds: seconds)
  }

  /// One ear of a listener may need much more gain than the other ear.
  func test_process_linkedWithDifferentHeadroom_limitsEachChannelSeparately() throws {
    let tone = tone(85, seconds: 0.5)
    let poorer = flat.map { $0 + 30 }
    for (name, curves, ceilings) in [
      ("gain", [flat, poorer], [105.0, 105]), ("ceiling", [flat, flat], [105, 75]),
    ] {
      for lookAhead in [0, 0.003] {
        let processor = try limitingProcessor(LimiterConfiguration(lookAhead: lookAhead))
        try processor.apply(
          ProcessorSettings(
            curves: curves.map { $0.map(BandCurve.gain) }, outputCeilings: ceilings,
            allowsOutputAboveFullScale: true))
        let output = processor.rendered([tone, tone])
        let levels = output.map { Signals.level(ofToneAt: 1_000, in: $0[12_000...], rate: rate) }
        XCTAssertEqual(levels[0], 85, accuracy: 0.01, "\(name), \(lookAhead) s")
        XCTAssertEqual(levels[1], ceilings[1], accuracy: 0.01, "\(name), \(lookAhead) s")
        XCTAssertEqual(processor.levels.channels[0].limiterReduction, 0, "\(name), \(lookAhead) s")
      }
    }
  }

  func test_process_channelThatGetsMoreHeadroomWhileLimiting_isReleased_thenLinkedAfterAPause()
    throws
  {
    let half = Int(rate / 2)
    for lookAhead in [0, 0.003] {
      let processor = try limitingProcessor(LimiterConfiguration(lookAhead: lookAhead))
      var output = [[Float](), []]
      for (other, level) in [(90.0, 96.0), (110, 96), (90, 96), (90, 60), (90, 60), (90, 96)] {
        try processor.apply(
          ProcessorSettings(
            curves: [flat, flat].map { $0.map(BandCurve.gain) }, outputCeilings: [90, other]))
        let tones = [level, 80].map { tone($0, seconds: 0.5) }
        for (channel, part) in processor.rendered(tones).enumerated() { output[channel] += part }
      }
      XCTAssertLessThanOrEqual(Signals.peak(output[0]), Float(Signals.bound(90)))
      for (milliseconds, level, accuracy) in [
        (490.0, 74.0, 0.01), (505, 75.2, 0.3), (990, 80, 0.01), (1_490, 80, 0.01),
        (2_490, 80, 0.01), (2_990, 74, 0.01),
      ] {
        let start = Int(milliseconds / 1_000 * rate)
        let part = output[1][start..<min(start + half / 50, output[1].count)]
        XCTAssertEqual(
          Signals.level(ofToneAt: 1_000, in: part, rate: rate), level, accuracy: accuracy,
          "\(milliseconds) ms, look-ahead of \(lookAhead) s")
      }
    }
  }

  /// The limiter links two ears only if their headroom differs by at most 6 dB. In this
  /// test, the setting `intensity: 0.74` makes the headroom of the two ears differ by 5.9 dB.
  func test_apply_settingsThatLinkTheEarsWhileOneEarIsLimited_makeNoClickInTheOtherEar() throws {
    for (name, limiter) in Limiters.all where limiter.isLinked {
      let processor = try limitingProcessor(limiter)
      try processor.apply(settings([20, 12]))
      let left = tone(90, 997, seconds: 2)
      let right = tone(60, seconds: 2)
      var output = processor.rendered([left, right].map { Array($0[..<48_000]) })
      try processor.apply(settings([20, 12], intensity: 0.74))
      for (channel, part) in processor.rendered([left, right].map { Array($0[48_000...]) })
        .enumerated()
      {
        output[channel] += part
      }
      let splatter = Spectrum.splatter(output[1], rate: rate)
      print("\(name), ears linked while one is limited: \(splatter) dB")
      XCTAssertLessThan(splatter, -75, name)
      XCTAssertEqual(
        Signals.level(ofToneAt: 1_000, in: output[1].suffix(12_000), rate: rate), 60 + 0.74 * 12,
        accuracy: 0.05, name)
      XCTAssertLessThanOrEqual(Signals.peak(output[0]), 1, name)
    }
  }

  /// The settings link only the first two of three channels.
  func test_apply_settingsThatLinkTwoOfThreeChannels_doNotAffectTheThird() throws {
    let input = [tone(90, 997), tone(60), tone(60)]
    for (name, limiter) in Limiters.all where limiter.isLinked {
      for blocks in [[1], [3], [4], [64], [512]] {
        let processor = try limitingProcessor(limiter, channels: 3)
        try processor.apply(settings([20, 12, 0]))
        _ = processor.rendered(input.map { Array($0[..<24_000]) }, blocks: blocks)
        try processor.apply(settings([15, 12, 0]))
        let output = processor.rendered(input.map { Array($0[24_000..<26_400]) }, blocks: blocks)
        let expected = Signals.delayed(input[2], by: processor.latency)[24_000..<26_400]
        for (sample, original) in zip(output[2], expected) {
          XCTAssertEqual(sample, original, accuracy: 1e-9, "\(name), blocks of \(blocks)")
        }
        let reductions = processor.levels.channels.map(\.greatestLimiterReduction)
        XCTAssertEqual(reductions[0], 13, accuracy: 0.1, "\(name), blocks of \(blocks)")
        XCTAssertEqual(reductions[1], 0, "\(name), blocks of \(blocks)")
        XCTAssertEqual(reductions[2], 0, "\(name), blocks of \(blocks)")
      }
    }
  }

  /// Before the ears are linked, only the left ear is limited. After that, both ears are limited by
  /// 2 dB.
  func test_levels_afterTheEarsAreLinked_countTheLimitingOfEachEar() throws {
    for lookAhead in [0, 0.003] {
      let processor = try limitingProcessor(LimiterConfiguration(lookAhead: lookAhead))
      try processor.apply(settings([20, 12]))
      _ = processor.rendered([tone(90), tone(60)])
      try processor.apply(settings([12, 12]))
      _ = processor.rendered([tone(30, seconds: 2), tone(30, seconds: 2)])
      _ = processor.rendered([tone(87), tone(60)])
      let channels = processor.levels.channels
      XCTAssertEqual(channels[0].greatestLimiterReduction, 13, accuracy: 0.1)
      XCTAssertEqual(channels[1].greatestLimiterReduction, 2, accuracy: 0.1)
      XCTAssertEqual(Double(channels[1].limitedFrameCount), rate, accuracy: 200)
    }
  }
}
