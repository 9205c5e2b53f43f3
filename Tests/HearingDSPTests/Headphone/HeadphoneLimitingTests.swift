import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Tests how the signal is limited after a headphone correction.
final class HeadphoneLimitingTests: XCTestCase {
  private let rate = 48_000.0
  private let flat = Array(repeating: 0.0, count: 10)

  private func settings(
    _ preampGain: Double?, isEnabled: Bool = true, ceiling: Double = 105, channels: Int = 2
  ) throws -> ProcessorSettings {
    var settings = ProcessorSettings(
      gains: Array(repeating: flat, count: channels), outputCeiling: ceiling, isEnabled: isEnabled)
    settings.headphone = try preampGain.map {
      try HeadphoneCorrection(sections: [], preampGain: $0)
    }
    return settings
  }

  /// The gains of the listener, the compression and the limiter apply to the corrected signal.
  /// Between the correction and the gains, there is no limiting.
  func test_process_enabled_equalsTheProcessingOfACorrectedRecording() throws {
    var generator = SeededGenerator(seed: 21)
    let recording = (0..<2).map { _ in
      Signals.bursts(count: 12_000, rate: rate, using: &generator).map { max(-2, min(2, $0)) }
    }
    let corrected = recording.map { $0.map { 2 * $0 } }
    let curve = try BandCurve(
      points: [.init(level: 40, gain: 20), .init(level: 100, gain: -20)], maximumOutput: 85)
    for (name, limiter) in Limiters.affordable {
      for curves in [flat.map { _ in BandCurve.gain(-20) }, flat.map { _ in curve }] {
        var settings = ProcessorSettings(curves: [curves, curves], outputCeiling: 80)
        let plain = try limitingProcessor(limiter)
        try plain.apply(settings)
        let expected = plain.rendered(corrected)
        settings.headphone = try HeadphoneCorrection(
          sections: [], preampGain: Signals.decibels(2))
        let processor = try limitingProcessor(limiter)
        try processor.apply(settings)
        let output = processor.rendered(recording)
        XCTAssertEqual(output.map(Signals.bits), expected.map(Signals.bits), name)
      }
    }
  }

  func test_levels_correctedSignalAboveTheCeiling_tellTheLimitingAndTheInputPeak() throws {
    let loud = Signals.sine(1_000, rate: rate, count: 24_000, amplitude: 0.9)
    for (name, limiter) in Limiters.all {
      for isEnabled in [true, false] {
        let processor = try limitingProcessor(limiter, channels: 1)
        try processor.apply(settings(6, isEnabled: isEnabled, channels: 1))
        let output = processor.rendered([loud], blocks: [64, 37])[0]
        let channel = processor.levels.channels[0]
        let reduction = 6 + Signals.decibels(0.9)
        let text = "\(name), enabled: \(isEnabled)"
        XCTAssertEqual(channel.inputPeak, 0.9, accuracy: 1e-6, text)
        XCTAssertEqual(channel.outputPeak, Double(Signals.peak(output)), accuracy: 1e-6, text)
        XCTAssertEqual(channel.limiterReduction, reduction, accuracy: 0.05, text)
        XCTAssertEqual(channel.greatestLimiterReduction, reduction, accuracy: 0.05, text)
        XCTAssertEqual(Double(channel.limitedFrameCount), 24_000, accuracy: 600, text)
      }
    }
  }

  func test_apply_lowerCeilingWhileDisabled_takesEffectImmediately() throws {
    let loud = Signals.sine(1_000, rate: rate, count: 9_600, amplitude: 0.9)
    for (name, limiter) in Limiters.all {
      let processor = try limitingProcessor(limiter)
      try processor.apply(settings(0, isEnabled: false))
      _ = processor.rendered([loud, loud])
      try processor.apply(settings(0, isEnabled: false, ceiling: 60))
      for channel in processor.rendered([loud, loud]) {
        XCTAssertLessThanOrEqual(Signals.peak(channel), Float(Signals.bound(60)), name)
      }
    }
  }

  func test_apply_switchingOnAndOffAboveTheCeiling_neverExceedsIt_andMakesNoClick() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let tone = Signals.sine(1_000, rate: rate, count: 96_000, amplitude: 0.9)
    for (name, limiter) in Limiters.all {
      for isEnabled in [true, false] {
        let processor = try limitingProcessor(limiter, channels: 1)
        try processor.apply(settings(6, isEnabled: isEnabled, ceiling: 80, channels: 1))
        var output = processor.rendered([Array(tone[..<48_000])], blocks: [64])[0]
        try processor.apply(settings(6, isEnabled: !isEnabled, ceiling: 80, channels: 1))
        output += processor.rendered([Array(tone[48_000...])], blocks: [64])[0]
        XCTAssertLessThanOrEqual(Signals.peak(output), Float(Signals.bound(80)), name)
        XCTAssertLessThan(
          Spectrum.splatter(output, rate: rate), -75, "\(name), enabled: \(isEnabled)")
      }
    }
  }

  /// Input samples above a maximum are invalid. A correction of 60 dB raises valid samples above
  /// this maximum.
  func test_process_extremeCorrection_isLimitedAndNotReplacedBySilence() throws {
    for isEnabled in [true, false] {
      let processor = try limitingProcessor(LimiterConfiguration())
      var settings = try settings(0, isEnabled: isEnabled)
      settings.headphone = try HeadphoneCorrection(
        sections: [.init(.lowShelf, frequency: 10_000, gain: 40, quality: 0.7)], preampGain: 20)
      try processor.apply(settings)
      let output = processor.rendered([
        Signals.sine(300, rate: rate, count: 9_600, amplitude: 0.9),
        Signals.sine(300, rate: rate, count: 9_600, amplitude: 0.001),
      ])
      XCTAssertGreaterThan(Signals.peak(output[0][4_800...]), 0.99)
      XCTAssertEqual(processor.levels.channels[0].rejectedSampleCount, 0)
    }
  }

  func test_apply_noCorrectionWhileDisabled_endsTheLimiting() throws {
    let loud = Signals.sine(1_000, rate: rate, count: 9_600, amplitude: 1.5)
    for (name, limiter) in Limiters.all {
      let processor = try limitingProcessor(limiter, channels: 1)
      try processor.apply(settings(6, isEnabled: false, channels: 1))
      _ = processor.rendered([loud])
      try processor.apply(settings(nil, isEnabled: false, channels: 1))
      let output = processor.rendered([loud])[0]
      let expected = Signals.delayed(loud, by: processor.latency)
      XCTAssertEqual(
        Signals.bits(Array(output.suffix(6_000))), Signals.bits(Array(expected.suffix(6_000))), name
      )
      XCTAssertEqual(processor.levels.channels[0].limiterReduction, 0, name)
    }
  }
}
