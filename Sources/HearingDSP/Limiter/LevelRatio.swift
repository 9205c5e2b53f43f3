internal import HearingBuffers

/// Divides sample magnitudes by a ceiling, and applies gains to samples.
enum LevelRatio {
  /// The reciprocal 1 / `ceiling`, rounded down. Because of this rounding, the product of the
  /// reciprocal and a sample at the ceiling is at most 1.
  static func inverse(of ceiling: Float) -> Float {
    // If the reciprocal would be denormal, the result is 0, and every sample counts as below the
    // ceiling.
    ceiling < 1e37 ? (1 / ceiling).nextDown : 0
  }

  /// Divides the magnitude of each sample by the ceiling, and writes the quotients to `ratios`. If
  /// `keepsGreater` is true, a quotient replaces a number in `ratios` only if the quotient is
  /// greater.
  ///
  /// - Returns: the peak magnitude of the samples.
  static func measure(
    _ samples: Row<Float>, count: Int, ceiling: Float,
    to ratios: Row<Float>, keepsGreater: Bool
  ) -> Float {
    let inverse = inverse(of: ceiling)
    var peaks = Float4.zero
    var index = 0
    while index + 4 <= count {
      let magnitudes = samples.float4(at: index).magnitude
      peaks = peaks.larger(magnitudes)
      var found = magnitudes * inverse
      if keepsGreater {
        found = found.larger(ratios.float4(at: index))
      }
      ratios.setFloat4(found, at: index)
      index += 4
    }
    var peak = peaks.largest
    while index < count {
      let magnitude = abs(samples[index])
      if magnitude > peak { peak = magnitude }
      let ratio = magnitude * inverse
      ratios[index] = keepsGreater && ratios[index] > ratio ? ratios[index] : ratio
      index += 1
    }
    return peak
  }

  /// Multiplies samples by gains and clamps the results to ±`ceiling`.
  static func apply(
    _ gains: Row<Float>, to samples: Row<Float>, count: Int,
    ceiling: Float = .infinity
  ) {
    var index = 0
    while index &+ 4 <= count {
      let limited = samples.float4(at: index) * gains.float4(at: index)
      samples.setFloat4(clamped(limited, ceiling), at: index)
      index &+= 4
    }
    while index < count {
      samples[index] = clamped(samples[index] * gains[index], ceiling)
      index += 1
    }
  }

  /// The samples, clamped to ±`ceiling`.
  @inline(__always)
  static func clamped(_ samples: Float4, _ ceiling: Float) -> Float4 {
    let upper = Float4(repeating: ceiling)
    let below = upper.replacing(with: samples, where: samples .< upper)
    let lower = Float4(repeating: -ceiling)
    return lower.replacing(with: below, where: below .>= lower)
  }

  /// The sample, clamped to ±`ceiling`.
  static func clamped(_ sample: Float, _ ceiling: Float) -> Float {
    max(-ceiling, min(ceiling, sample))
  }
}
