/// Passes over one channel's samples: what is no sound is left out, magnitudes are measured.
enum SampleGuard {
  /// Input below this magnitude (−400 dB) is taken for silence by the filters.
  static var trace: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-20 }
  }

  /// Copies samples times `gain`; those whose magnitude is not within `least`…`most`, or that are no
  /// numbers, become 0.
  ///
  /// `source` and `target` may be the same.
  ///
  /// - Returns: the greatest magnitude accepted, before `gain`.
  @_noLocks @_noAllocation
  static func copy(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int,
    gain: Float, least: Float, most: Float
  ) -> Float {
    let leastBits = SIMD4<Int32>(repeating: Int32(bitPattern: least.bitPattern))
    let mostBits = SIMD4<Int32>(repeating: Int32(bitPattern: most.bitPattern))
    let magnitudeBits = SIMD4<Int32>(repeating: 0x7FFF_FFFF)
    var peaks = Lanes.zero
    var index = 0
    while index + 4 <= count {
      let bits = UnsafeRawPointer(source + index).loadUnaligned(as: SIMD4<Int32>.self)
      let magnitude = bits & magnitudeBits
      let isSound = (magnitude .>= leastBits) .& (magnitude .<= mostBits)
      let kept = SIMD4<Int32>.zero.replacing(with: bits, where: isSound)
      peaks = pointwiseMax(peaks, unsafeBitCast(kept & magnitudeBits, to: Lanes.self))
      UnsafeMutableRawPointer(target + index).storeBytes(
        of: unsafeBitCast(kept, to: Lanes.self) * gain, as: Lanes.self)
      index += 4
    }
    var peak = peaks.max()
    while index < count {
      let sample = source[index]
      let magnitude = abs(sample)
      let isSound = magnitude >= least && magnitude <= most
      if isSound && magnitude > peak { peak = magnitude }
      target[index] = (isSound ? sample : 0) * gain
      index += 1
    }
    return peak
  }

  /// The greatest magnitude of `count` samples, all of them numbers.
  @_noLocks @_noAllocation
  static func peak(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    var peaks = Lanes.zero
    var index = 0
    while index + 4 <= count {
      let sample = UnsafeRawPointer(samples + index).loadUnaligned(as: Lanes.self)
      peaks = pointwiseMax(peaks, pointwiseMax(sample, -sample))
      index += 4
    }
    var peak = peaks.max()
    while index < count {
      peak = max(peak, abs(samples[index]))
      index += 1
    }
    return peak
  }

  /// Copies every `stride`th sample of `source`.
  @_noLocks @_noAllocation
  static func gather(
    _ source: UnsafePointer<Float>, stride: Int, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    for index in 0..<count { target[index] = source[index * stride] }
  }

  /// Copies samples to every `stride`th place of `target`.
  @_noLocks @_noAllocation
  static func scatter(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, stride: Int, count: Int
  ) {
    if stride == 1 {
      for index in 0..<count { target[index] = source[index] }
    } else {
      for index in 0..<count { target[index * stride] = source[index] }
    }
  }
}
