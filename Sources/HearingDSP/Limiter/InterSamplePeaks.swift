internal import HearingBuffers

/// For each sample of one channel, measures the peak magnitude at and around the sample. The peak
/// may lie between two samples.
///
/// A windowed sinc filter of 16 taps interpolates three points between each pair of neighbouring
/// samples. At a local maximum of the points, the peak is the vertex of a parabola through the
/// maximum and its two neighbouring points. The error of the peak is at most 0.1 dB for frequencies
/// up to 0.4 of the sample rate.
struct InterSamplePeaks: ~Copyable {
  /// The last samples of earlier calls, followed by the samples of the current call.
  private let samples: OwnedRow<Float>

  /// The interpolated samples, `[phase][index]`. The three phases are a quarter, a half and three
  /// quarters of a sample interval after a sample. The first interpolated sample of each phase lies
  /// between the first measured sample and the previous sample.
  private let between: OwnedRow<Float>

  /// The taps of the windowed sinc filter, `[phase][tap]`.
  private let taps: OwnedRow<Float>

  /// The delay of the measured peaks in frames. The peak around a sample depends on the next
  /// `latency` frames.
  static let latency = 8

  private static let tapCount = 16

  /// The number of stored samples from earlier calls.
  private static let history = 16

  private static let row: Int = RenderTiming.chunk + 8

  /// The maximum ratio of an interpolated sample to the peak of the surrounding samples. The
  /// maximum ratio is the sum of the magnitudes of the taps, rounded up.
  private static let maximumOvershoot: Float = 3

  init() {
    samples = .filled(0, count: Self.history + RenderTiming.chunk + 8)
    between = .filled(0, count: 3 * Self.row)
    taps = .filled(0, count: 3 * Self.tapCount)
    for phase in 0..<3 {
      let fraction = Double(phase + 1) / 4
      var weights = (0..<Self.tapCount).map { tap in
        let distance = Double(tap - Self.latency + 1) - fraction
        return CMath.sinc(.pi * distance) * Self.window(distance / 8)
      }
      let sum = weights.reduce(0, +)
      weights = weights.map { $0 / sum }
      for (tap, weight) in weights.enumerated() {
        taps[phase * Self.tapCount + tap] = Float(weight)
      }
    }
  }

  /// Replaces all stored samples by 0.
  func clear() {
    for index in 0..<Self.history { samples[index] = 0 }
  }

  /// Divides each peak by the ceiling, and writes the quotients to `ratios`. The quotients are
  /// delayed by ``latency`` frames. If `keepsGreater` is true, a quotient replaces a number in
  /// `ratios` only if the quotient is greater.
  ///
  /// - Returns: whether any peak exceeds the ceiling.
  func measure(
    _ run: Row<Float>, count: Int, ceiling: Float,
    to ratios: Row<Float>, keepsGreater: Bool
  ) -> Bool {
    let inverse = LevelRatio.inverse(of: ceiling)
    SampleOperations.move(run, to: samples.from(Self.history), count: count)
    // Vector operations read up to four samples beyond the end of the new samples. These four
    // samples are set to 0.
    for index in 0..<4 { samples[Self.history + count + index] = 0 }
    let loudest = SampleOperations.peak(samples.row, count: Self.history + count)
    var maximum: Float = 0
    if loudest * Self.maximumOvershoot > ceiling {
      interpolate(count)
      maximum = writePeaks(count, inverse, ratios, keepsGreater)
    } else if !keepsGreater {
      for index in 0..<count { ratios[index] = 0 }
    }
    // The loop copies the samples in ascending order. Therefore the loop also works if `count` is
    // less than `history`.
    for index in 0..<Self.history { samples[index] = samples[count + index] }
    return maximum > 1
  }

  private func interpolate(_ count: Int) {
    for phase in 0..<3 {
      let phaseTaps = taps.from(phase * Self.tapCount)
      let values = between.from(phase * Self.row)
      var index = 0
      // Each phase has `count` + 1 interpolated samples. The first interpolated sample of a phase
      // lies between the first measured sample and the previous sample.
      while index <= count {
        // Each interpolated sample lies between a sample s and the next sample. The last tap
        // multiplies the sample that is ``latency`` samples after s. The first tap multiplies the
        // sample that is ``latency`` − 1 samples before s.
        let source = samples.from(index + Self.history - 2 * Self.latency)
        var sum = Float4.zero
        for tap in 0..<Self.tapCount { sum += source.float4(at: tap) * phaseTaps[tap] }
        values.setFloat4(sum, at: index)
        index += 4
      }
    }
  }

  private func writePeaks(
    _ count: Int, _ inverse: Float, _ ratios: Row<Float>, _ keepsGreater: Bool
  ) -> Float {
    let (first, second, third) = (between.row, between.from(Self.row), between.from(2 * Self.row))
    let measured = samples.from(Self.history - Self.latency)
    var maximum = Float4.zero
    var index = 0
    while index < count {
      let before = third.float4(at: index).magnitude
      let here = measured.float4(at: index).magnitude
      let a = first.float4(at: index + 1).magnitude
      let b = second.float4(at: index + 1).magnitude
      let c = third.float4(at: index + 1).magnitude
      let next = measured.float4(at: index + 1).magnitude
      var peak = Self.vertex(before, here, a)
      peak = peak.larger(Self.vertex(here, a, b))
      peak = peak.larger(Self.vertex(a, b, c))
      peak = peak.larger(Self.vertex(b, c, next)) * inverse
      let remaining = count - index
      if remaining >= 4 {
        if keepsGreater { peak = peak.larger(ratios.float4(at: index)) }
        ratios.setFloat4(peak, at: index)
        maximum = maximum.larger(peak)
      } else {
        for lane in 0..<remaining {
          let ratio = keepsGreater ? max(peak[lane], ratios[index + lane]) : peak[lane]
          ratios[index + lane] = ratio
          maximum[0] = max(maximum[0], ratio)
        }
      }
      index += 4
    }
    return maximum.largest
  }

  /// The peak at and around the middle of three neighbouring magnitudes. If `middle` is the maximum
  /// of the three magnitudes, the result is the vertex of the parabola through all three. If
  /// `middle` is not the maximum, the result is `middle`.
  @inline(__always)
  private static func vertex(_ left: Float4, _ middle: Float4, _ right: Float4) -> Float4 {
    let isPeak = (middle .>= left) .& (middle .>= right)
    let slope = left - right
    let bend = (middle - left) + (middle - right)
    let safe = Float4(repeating: 1).replacing(with: bend, where: bend .> 0)
    return middle + (slope * slope / (safe * 8)).kept(where: isPeak)
  }

  /// The Kaiser window with β = 5 for `x` in −1…1.
  private static func window(_ x: Double) -> Double {
    guard abs(x) < 1 else { return 0 }
    return bessel(5 * (1 - x * x).squareRoot()) / bessel(5)
  }

  /// The modified Bessel function of the first kind, order 0.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for index in 1...24 {
      term *= (x / (2 * Double(index))) * (x / (2 * Double(index)))
      sum += term
    }
    return sum
  }
}
