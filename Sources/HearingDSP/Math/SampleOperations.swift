package import HearingBuffers

/// Operations on the samples of one channel: replacing invalid samples, gain, peaks and copies.
package enum SampleOperations {
  /// Copies samples, and replaces rejected samples by 0. A sample is rejected if it is not finite,
  /// or if its magnitude is outside `minimum`…`maximum`.
  ///
  /// `source` and `target` may be the same row.
  ///
  /// - Parameter filler: If `filler` is not 0, rejected samples become ±`filler` instead of 0. The
  ///   sign of the filler alternates from sample to sample.
  /// - Returns: two results. The first result is the peak magnitude of the samples that were not
  ///   replaced. Samples with the magnitude `filler` do not count for the peak. The second result,
  ///   `isBroken`, is true if any sample is NaN or has a magnitude greater than `maximum`.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  @discardableResult
  package static func copy(
    _ source: Row<Float>, to target: Row<Float>, count: Int,
    minimum: Float, maximum: Float, filler: Float = 0
  ) -> (peak: Float, isBroken: Bool) {
    // If the filler is 0, `0 - filler` gives +0, but `-filler` would give −0.
    let other = 0 - filler
    let fillers = Float4(filler, other, filler, other)
    var peak: Float = 0
    var isBroken = false
    var index = 0
    if count >= 4 {
      var peaks = Float4.zero
      var broken = SIMDMask<SIMD4<Int32>>(repeating: false)
      while index &+ 4 <= count {
        let samples = source.float4(at: index)
        let magnitudes = samples.magnitude
        broken = broken .| .!(magnitudes .<= maximum)
        peaks = peaks.larger(magnitudes)
        target.setFloat4(fillers.replacing(with: samples, where: magnitudes .>= minimum), at: index)
        index &+= 4
      }
      if _slowPath(any(broken)) {
        // The first `index` samples have already been copied, including the invalid samples.
        peaks = replaceBroken(target, count: index, maximum: maximum, fillers)
        isBroken = true
      }
      peak = largest(peaks)
      if peak < minimum || peak == abs(filler) { peak = 0 }
    }
    while index < count {
      let sample = source[index]
      let magnitude = abs(sample)
      let isValid = magnitude >= minimum && magnitude <= maximum
      if isValid && magnitude > peak && magnitude != abs(filler) { peak = magnitude }
      if !(magnitude <= maximum) { isBroken = true }
      target[index] = isValid ? sample : index & 1 == 0 ? filler : other
      index += 1
    }
    return (peak, isBroken)
  }

  /// Replaces samples that are not finite, and samples with a magnitude greater than `maximum`. The
  /// number of samples, `count`, must be a multiple of 4.
  ///
  /// - Returns: for each lane, the peak magnitude of the samples that were not replaced.
  @inline(never)
  private static func replaceBroken(
    _ samples: Row<Float>, count: Int, maximum: Float, _ fillers: Float4
  ) -> Float4 {
    var peaks = Float4.zero
    var index = 0
    while index < count {
      let all = samples.float4(at: index)
      let isValid = all.magnitude .<= maximum
      samples.setFloat4(fillers.replacing(with: all, where: isValid), at: index)
      peaks = peaks.larger(all.kept(where: isValid).magnitude)
      index &+= 4
    }
    return peaks
  }

  /// Copies samples and multiplies them by a ramped gain. The gain is `from` + `slope` · n + `bend`
  /// · n². For the first sample of `source`, n is `offset` + 1.
  ///
  /// `source` and `target` may be the same row.
  ///
  /// - Parameter minimum: Results below this magnitude become 0.
  /// - Returns: the peak magnitude of the results. If any result is not finite, returns infinity.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  @discardableResult
  package static func amplify(
    _ source: Row<Float>, to target: Row<Float>, count: Int,
    from: Float, slope: Float, bend: Float = 0, offset: Int, minimum: Float = 0
  ) -> Float {
    var peak: Float = 0
    var isFinite = true
    var index = 0
    if count >= 4 {
      var peaks = Float4.zero
      var infinite = SIMDMask<SIMD4<Int32>>(repeating: false)
      var elapsed = Float4(1, 2, 3, 4) + Float(offset)
      while index &+ 4 <= count {
        let samples = source.float4(at: index) * (from + (slope + bend * elapsed) * elapsed)
        let magnitudes = samples.magnitude
        infinite = infinite .| .!(magnitudes .<= .greatestFiniteMagnitude)
        peaks = peaks.larger(magnitudes)
        target.setFloat4(samples.kept(where: magnitudes .>= minimum), at: index)
        elapsed += 4
        index &+= 4
      }
      peak = largest(peaks)
      if peak < minimum { peak = 0 }
      isFinite = !any(infinite)
    }
    while index < count {
      let elapsed = Float(offset &+ index &+ 1)
      let sample = source[index] * (from + (slope + bend * elapsed) * elapsed)
      let magnitude = abs(sample)
      let isAudible = magnitude >= minimum
      if isAudible && magnitude > peak { peak = magnitude }
      if !(magnitude <= .greatestFiniteMagnitude) { isFinite = false }
      target[index] = isAudible ? sample : 0
      index += 1
    }
    return isFinite ? peak : .infinity
  }

  /// The peak magnitude of `count` samples. No sample may be NaN.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package static func peak(_ samples: Row<Float>, count: Int) -> Float {
    var peaks = Float4.zero
    var index = 0
    while index + 4 <= count {
      peaks = peaks.larger(samples.float4(at: index).magnitude)
      index += 4
    }
    var peak = largest(peaks)
    while index < count {
      let magnitude = abs(samples[index])
      if magnitude > peak { peak = magnitude }
      index += 1
    }
    return peak
  }

  /// The maximum of the four lanes. The function compares the bit patterns of the numbers, because
  /// bit patterns of magnitudes have the same order as the magnitudes. If the function compared
  /// floating-point numbers, the compiler would split the vectors in the whole loop of the caller.
  private static func largest(_ magnitudes: Float4) -> Float {
    let bits = magnitudes.bits
    let pattern = max(max(bits[0], bits[1]), max(bits[2], bits[3]))
    return Float(bitPattern: UInt32(bitPattern: pattern))
  }

  /// Copies samples.
  @inline(__always)
  static func move(
    _ source: Row<Float>, to target: Row<Float>, count: Int
  ) {
    var index = 0
    while index + 4 <= count {
      target.setFloat4(source.float4(at: index), at: index)
      index += 4
    }
    while index < count {
      target[index] = source[index]
      index += 1
    }
  }

  /// Copies every `stride`th sample of `source` to `target`.
  static func gather(
    _ source: Row<Float>, stride: Int, to target: Row<Float>, count: Int
  ) {
    if stride == 1 { return move(source, to: target, count: count) }
    var index = 0
    if stride == 2 {
      // Reads four frames of two channels at once. The last frames are read one by one, because a
      // vector of the second channel would extend beyond the last frame.
      while index &+ 4 < count {
        let front = source.float4(at: 2 &* index)
        let back = source.float4(at: 2 &* index &+ 4)
        target.setFloat4(Float4(front[0], front[2], back[0], back[2]), at: index)
        index &+= 4
      }
    }
    while index < count {
      target[index] = source[index &* stride]
      index &+= 1
    }
  }

  /// Copies samples to every `stride`th element of `target`.
  static func scatter(
    _ source: Row<Float>, to target: Row<Float>, stride: Int, count: Int
  ) {
    if stride == 1 { return move(source, to: target, count: count) }
    var index = 0
    while index < count {
      target[index &* stride] = source[index]
      index &+= 1
    }
  }

  /// The number of samples that are NaN or have a magnitude greater than `maximum`.
  @inline(never)
  static func rejectedCount(
    _ samples: Row<Float>, stride: Int, count: Int, maximum: Float
  ) -> UInt64 {
    var rejected: UInt64 = 0
    for index in 0..<count where !(abs(samples[index &* stride]) <= maximum) { rejected &+= 1 }
    return rejected
  }
}
