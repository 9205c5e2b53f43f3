internal import HearingBuffers

/// Compares samples with a ceiling.
enum LevelRatio {
  /// 1 / `ceiling`, rounded so that a sample at the ceiling has a ratio of at most 1.
  static func inverse(of ceiling: Float) -> Float {
    // A ceiling whose inverse is denormal counts as no ceiling.
    ceiling < 1e37 ? (1 / ceiling).nextDown : 0
  }

  /// Writes the ratio of each sample to the ceiling to `ratios`; if `keepsGreater`, only where it
  /// is greater than the existing value.
  ///
  /// - Returns: the peak magnitude.
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

  /// Multiplies samples by gains and clips the result at the ceiling.
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

  /// `samples` within ±`ceiling`.
  @inline(__always)
  static func clamped(_ samples: Float4, _ ceiling: Float) -> Float4 {
    let upper = Float4(repeating: ceiling)
    let below = upper.replacing(with: samples, where: samples .< upper)
    let lower = Float4(repeating: -ceiling)
    return lower.replacing(with: below, where: below .>= lower)
  }

  /// `sample` within ±`ceiling`.
  static func clamped(_ sample: Float, _ ceiling: Float) -> Float {
    max(-ceiling, min(ceiling, sample))
  }
}
