import HearingDSP

/// The frequency weighting of loudness meters (ITU-R BS.1770-5, Annex 1), for four signals at a
/// time.
///
/// It consists of a high shelf and a high-pass. Their coefficients are computed by bilinear
/// transforms for every sample rate. At 48 kHz they equal the coefficients of the Recommendation.
/// Source for the frequencies and qualities of the analogue filters: De Man, "Evaluation of
/// implementations of the EBU R128 loudness measurement", AES 145 (2018).
struct KWeighting {
  private var shelf: Section
  private var highPass: Section

  /// Creates the weighting for a sample rate in Hz.
  init(sampleRate: Double) {
    let (k, quality) = (CMath.tangent(.pi * 1681.974450955533 / sampleRate), 0.7071752369554196)
    let high = CMath.amplitude(decibels: 3.999843853973347)
    let middle = CMath.power(high, 0.4996667741545416)
    let square = k * k
    shelf = Section(
      b: (
        high + middle * k / quality + square, 2 * (square - high),
        high - middle * k / quality + square
      ),
      a: (1 + k / quality + square, 2 * (square - 1), 1 - k / quality + square))
    let (low, lowQuality) = (
      CMath.tangent(.pi * 38.13547087602444 / sampleRate), 0.5003270373238773
    )
    // In the Recommendation, the numerator of the high-pass is 1, −2, 1. This numerator does not
    // compensate for the gain of the poles.
    let scale = 1 + low / lowQuality + low * low
    highPass = Section(
      b: (scale, -2 * scale, scale),
      a: (scale, 2 * (low * low - 1), 1 - low / lowQuality + low * low))
  }

  /// Filters one sample of each signal.
  @inline(__always)
  mutating func process(_ input: SIMD4<Float>) -> SIMD4<Float> {
    highPass.process(shelf.process(input))
  }

  /// A second-order filter in transposed direct form II.
  private struct Section {
    let (b0, b1, b2, a1, a2): (Float, Float, Float, Float, Float)
    var first = SIMD4<Float>()
    var second = SIMD4<Float>()

    init(b: (Double, Double, Double), a: (Double, Double, Double)) {
      (b0, b1, b2) = (Float(b.0 / a.0), Float(b.1 / a.0), Float(b.2 / a.0))
      (a1, a2) = (Float(a.1 / a.0), Float(a.2 / a.0))
    }

    @inline(__always)
    mutating func process(_ input: SIMD4<Float>) -> SIMD4<Float> {
      let output = b0 * input + first
      first = b1 * input - a1 * output + second
      second = b2 * input - a2 * output
      return output
    }
  }
}
