import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

/// Tests the estimate of peaks between samples. Also tests that the limiter keeps these peaks at or
/// below the ceiling.
final class InterSamplePeaksTests: XCTestCase {
  private func ratios(_ samples: [Float], runs: [Int], ceiling: Float = 1) -> [Float] {
    let peaks = InterSamplePeaks()
    var result: [Float] = []
    var row = [Float](repeating: 0, count: RenderTiming.chunk)
    var (done, turn) = (0, 0)
    while done < samples.count {
      let count = min(runs[turn % runs.count], samples.count - done)
      turn += 1
      samples.withUnsafeBufferPointer { buffer in
        let base = buffer.row
        row.withUnsafeMutableBufferPointer { row in
          let target = row.row
          _ = peaks.measure(
            base.from(done), count: count, ceiling: ceiling, to: target, keepsGreater: false)
        }
      }
      result += row[..<count]
      done += count
    }
    return result
  }

  func test_measure_tonesOfAnyPhase_isAccurateToATenthOfADecibel() {
    var generator = SeededGenerator(seed: 4)
    var worst = 0.0
    for step in 0..<200 {
      let frequency = 500 + Double(step) * 93.5
      let phase = Double.random(in: 0...(2 * .pi), using: &generator)
      let tone = Signals.sine(
        frequency, rate: 48_000, count: 960, amplitude: 1, phase: phase)
      let peak = ratios(tone, runs: [256])[100...].max() ?? 0
      worst = max(worst, abs(Signals.decibels(Double(peak))))
    }
    print("peaks between samples, up to 19.2 kHz: \(worst) dB wrong at most")
    XCTAssertLessThan(worst, 0.1)
  }

  func test_measure_impulse_reportsThePeakAfterTheLatency() {
    var impulse = Signals.silence(64)
    impulse[20] = 0.9
    let found = ratios(impulse, runs: [64])
    XCTAssertEqual(found.firstIndex { $0 == found.max() }, 20 + InterSamplePeaks.latency)
  }

  func test_measure_anySplitOfTheInput_givesEqualPeaksAboveTheCeiling() {
    var generator = SeededGenerator(seed: 6)
    let bursts = Signals.bursts(count: 9_600, rate: 48_000, using: &generator)
    func demands(_ runs: [Int]) -> [Float] {
      ratios(bursts, runs: runs, ceiling: 0.4).map { $0 > 1 ? $0 : 0 }
    }
    let expected = demands([256])
    for runs in [[1], [3], [16], [7, 100, 1, 31]] { XCTAssertEqual(demands(runs), expected) }
    XCTAssertGreaterThan(expected.count { $0 > 0 }, 100)
  }

  func test_process_truePeakLimiter_keepsPeaksBetweenSamplesBelowTheCeiling() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let rate = 48_000.0
    func rendered(_ isTruePeak: Bool, _ input: [Float]) throws -> (peak: Double, latency: Int) {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 2),
        limiter: LimiterConfiguration(lookAhead: 0.002, isTruePeak: isTruePeak))
      try processor.apply(
        ProcessorSettings(
          gains: [[Double]](repeating: Array(repeating: 0, count: 10), count: 2),
          outputCeiling: 90))
      let output = processor.rendered([input, input.map { $0 / 2 }], blocks: [64])[0]
      return (Self.truePeak(output[4_800...]) / Signals.bound(90), processor.latency)
    }
    // The frequency of the tone is a quarter of the sample rate, and no sample is at a peak. The
    // true peaks are 3 dB above the largest sample.
    let hidden = Signals.sine(12_000, rate: rate, count: 24_000, amplitude: 0.6, phase: .pi / 4)
    var generator = SeededGenerator(seed: 7)
    let noise = Signals.noise(count: 24_000, amplitude: 0.9, using: &generator)
    for (name, input) in [("tone", hidden), ("noise", Self.limited(noise))] {
      let plain = try rendered(false, input)
      let with = try rendered(true, input)
      print(
        "\(name): true peak \(Signals.decibels(plain.peak)) dB above the ceiling by samples, "
          + "\(Signals.decibels(with.peak)) dB by true peaks")
      XCTAssertLessThan(Signals.decibels(with.peak), 0.1, name)
      XCTAssertEqual(with.latency, 96)
    }
    XCTAssertGreaterThan(Signals.decibels(try rendered(false, hidden).peak), 2.5)
  }

  /// Removes frequencies above 0.4 times the sample rate.
  private static func limited(_ samples: [Float]) -> [Float] {
    filtered(samples) { bin, size in abs(bin) <= size * 2 / 5 }
  }

  private static func filtered(_ samples: [Float], _ keeps: (Int, Int) -> Bool) -> [Float] {
    let size = 1 << 15
    var real = samples.map(Double.init) + [Double](repeating: 0, count: size - samples.count)
    var imaginary = [Double](repeating: 0, count: size)
    Spectrum.transform(&real, &imaginary)
    for bin in 0..<size where !keeps(bin <= size / 2 ? bin : bin - size, size) {
      real[bin] = 0
      imaginary[bin] = 0
    }
    imaginary = imaginary.map { -$0 }
    Spectrum.transform(&real, &imaginary)
    return real.prefix(samples.count).map { Float($0 / Double(size)) }
  }

  /// The peak of the signal between its samples. The function interpolates the signal: it pads the
  /// spectrum with zeros and transforms it back.
  private static func truePeak(_ samples: ArraySlice<Float>) -> Double {
    let (size, factor) = (1 << 14, 16)
    let count = min(samples.count, size)
    var real = [Double](repeating: 0, count: size)
    for (index, sample) in samples.prefix(count).enumerated() {
      // The transform treats the samples as one period of a signal. Both ends are faded, so that
      // there is no step between two periods.
      let edge = Double(min(index, count - 1 - index)) / 512
      real[index] = Double(sample) * min(1, edge)
    }
    var imaginary = [Double](repeating: 0, count: size)
    Spectrum.transform(&real, &imaginary)
    var (fineReal, fineImaginary) = (
      [Double](repeating: 0, count: size * factor), [Double](repeating: 0, count: size * factor)
    )
    for bin in 0..<size / 2 {
      fineReal[bin] = 2 * real[bin] / Double(size)
      fineImaginary[bin] = -2 * imaginary[bin] / Double(size)
    }
    Spectrum.transform(&fineReal, &fineImaginary)
    return fineReal.reduce(0) { max($0, abs($1)) }
  }

  func test_process_releaseTime_matchesTheConfiguration() throws {
    for time in [0.02, 0.06, 0.3] {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1),
        limiter: LimiterConfiguration(releaseTime: time))
      try processor.apply(
        ProcessorSettings(gains: [Array(repeating: 0, count: 10)], outputCeiling: 90))
      let loud = Signals.sine(1_000, rate: 48_000, count: 4_800, amplitude: 0.9)
      _ = processor.rendered([loud + Signals.silence(480)])
      func shortfall() -> Double {
        1 - Signals.amplitude(decibels: -processor.levels.channels[0].limiterReduction)
      }
      let before = shortfall()
      _ = processor.rendered([Signals.silence(Int(time * 48_000))])
      XCTAssertEqual(shortfall() / before, exp(-1), accuracy: 0.02)
    }
    for time in [0.0, 2, .nan] {
      XCTAssertThrowsError(
        try BandGainProcessor(
          spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1),
          limiter: LimiterConfiguration(releaseTime: time)))
    }
  }
}
