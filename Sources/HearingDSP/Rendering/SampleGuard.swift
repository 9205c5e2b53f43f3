/// Passes over one channel's samples: what is no sound is left out, magnitudes are measured.
enum SampleGuard {
  /// Input below this magnitude (−400 dB) is taken for silence by the filters.
  static var trace: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-20 }
  }

  /// Copies samples times `gain`; those whose magnitude is not within `least`…`most`, or that are
  /// no numbers, become 0.
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
    var peaks = SIMD4<Int32>.zero
    var index = 0
    while index + 4 <= count {
      let bits = UnsafeRawPointer(source + index).loadUnaligned(as: SIMD4<Int32>.self)
      let magnitude = bits & magnitudeBits
      let isSound = (magnitude .>= leastBits) .& (magnitude .<= mostBits)
      let kept = SIMD4<Int32>.zero.replacing(with: bits, where: isSound)
      peaks = larger(peaks, kept & magnitudeBits)
      UnsafeMutableRawPointer(target + index).storeBytes(
        of: unsafeBitCast(kept, to: Lanes.self) * gain, as: Lanes.self)
      index += 4
    }
    var peak = largest(peaks)
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

  /// Copies samples times a gain that was `from` at the last edge, `offset` samples ago, and grows
  /// by `slope` a sample.
  @_noLocks @_noAllocation
  static func ramp(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int, from: Float,
    slope: Float, offset: Int
  ) {
    var place = Lanes(1, 2, 3, 4) + Float(offset)
    var index = 0
    while index + 4 <= count {
      target.setLanes(source.lanes(at: index) * (from + slope * place), at: index)
      place += 4
      index += 4
    }
    while index < count {
      target[index] = source[index] * (from + slope * Float(offset + index + 1))
      index += 1
    }
  }

  /// Copies samples, all of them numbers, and returns the greatest magnitude among them.
  @_noLocks @_noAllocation
  static func copyMeasuring(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) -> Float {
    let magnitudeBits = SIMD4<Int32>(repeating: 0x7FFF_FFFF)
    var peaks = SIMD4<Int32>.zero
    var index = 0
    while index + 4 <= count {
      let bits = UnsafeRawPointer(source + index).loadUnaligned(as: SIMD4<Int32>.self)
      peaks = larger(peaks, bits & magnitudeBits)
      UnsafeMutableRawPointer(target + index).storeBytes(of: bits, as: SIMD4<Int32>.self)
      index += 4
    }
    var peak = largest(peaks)
    while index < count {
      let magnitude = abs(source[index])
      if magnitude > peak { peak = magnitude }
      target[index] = source[index]
      index += 1
    }
    return peak
  }

  /// The greatest magnitude of `count` samples, all of them numbers.
  @_noLocks @_noAllocation
  static func peak(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    let magnitudeBits = SIMD4<Int32>(repeating: 0x7FFF_FFFF)
    var peaks = SIMD4<Int32>.zero
    var index = 0
    while index + 4 <= count {
      let bits = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD4<Int32>.self)
      peaks = larger(peaks, bits & magnitudeBits)
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

  /// The larger of each pair of magnitudes; as integers their bits are in the same order, and a
  /// comparison of integers is one instruction where `pointwiseMax` of floating point is a dozen.
  @_noLocks @_noAllocation @inline(__always)
  private static func larger(_ one: SIMD4<Int32>, _ other: SIMD4<Int32>) -> SIMD4<Int32> {
    one.replacing(with: other, where: other .> one)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func largest(_ magnitudes: SIMD4<Int32>) -> Float {
    let front = max(magnitudes[0], magnitudes[1])
    let back = max(magnitudes[2], magnitudes[3])
    return Float(bitPattern: UInt32(bitPattern: max(front, back)))
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
