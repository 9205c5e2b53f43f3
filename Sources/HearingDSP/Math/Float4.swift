/// Four single-precision numbers side by side.
@usableFromInline package typealias Float4 = SIMD4<Float>

extension SIMD4<Float> {
  /// The IEEE 754 patterns of the lanes.
  @inlinable package var bits: SIMD4<Int32> {
    @inline(__always) get {
      unsafe unsafeBitCast(self, to: SIMD4<Int32>.self)
    }
  }

  /// The lanes with these IEEE 754 patterns.
  @inline(__always)
  @inlinable package init(bits: SIMD4<Int32>) {
    self = unsafe unsafeBitCast(bits, to: Self.self)
  }

  /// 2 to the power of each lane, within −126…126, to 3 parts in 10⁷; exactly 1 for 0.
  ///
  /// The nearest integer becomes the exponent; a Taylor series computes the power of the remaining
  /// fraction.
  @inlinable package var powerOfTwo: Self {
    @inline(__always) get {
      // Adding 1.5 · 2²³ leaves the nearest integer in the low bits.
      let magic: Float = 12_582_912
      let shifted = self + magic
      let exponent = shifted.bits &- 0x4B40_0000
      let x = (self - (shifted - magic)) * 0.693_147_18
      var sum = x * 0.001_388_889 + 0.008_333_333
      sum = sum * x + 0.041_666_667
      sum = sum * x + 0.166_666_67
      sum = sum * x + 0.5
      sum = sum * x + 1
      sum = sum * x + 1
      return sum * Self(bits: (exponent &+ 127) &<< 23)
    }
  }

  /// The logarithm to base 2 of each lane, which must be positive and normal, to 2 parts in 10⁷.
  ///
  /// The exponent is extracted from the bits so that a factor within √½…√2 remains. Its logarithm
  /// is twice the inverse hyperbolic tangent of (m − 1) / (m + 1), whose series needs four terms in
  /// single precision.
  @inlinable package var binaryLogarithm: Self {
    @inline(__always) get {
      let bits = bits
      // The bits of √½: values above it get the exponent of the next power of two.
      let offset = bits &- 0x3F35_04F3
      let exponent = offset &>> 23
      let factor = Self(bits: bits &- (exponent &<< 23))
      let x = (factor - 1) / (factor + 1)
      let square = x * x
      var sum = square * 0.412_198_58 + 0.577_078_02
      sum = sum * square + 0.961_796_7
      sum = sum * square + 2.885_390_1
      return sum * x + Self(exponent)
    }
  }

  /// The magnitude of each lane.
  @inlinable package var magnitude: Self {
    @inline(__always) get {
      Self(bits: bits & 0x7FFF_FFFF)
    }
  }

  /// The larger of each pair of lanes; NaN in `other` is ignored. With this order of comparison it
  /// is one instruction; `pointwiseMax` is twelve.
  @inline(__always)
  @inlinable package func larger(_ other: Self) -> Self {
    replacing(with: other, where: other .> self)
  }

  /// The largest lane.
  @inlinable package var largest: Float {
    @inline(__always) get { Swift.max(Swift.max(self[0], self[1]), Swift.max(self[2], self[3])) }
  }

  /// The lanes where the mask is true; 0 in the others.
  @inline(__always)
  @inlinable package func kept(where mask: SIMDMask<SIMD4<Int32>>) -> Self {
    Self.zero.replacing(with: self, where: mask)
  }

  /// The lanes with a magnitude of at least 10⁻¹⁸ (−360 dB); 0 in the others. Filter states are
  /// flushed before they become denormal.
  @inlinable package var flushingDenormals: Self {
    @inline(__always) get {
      let floor: Float = 1e-18
      let magnitude = bits & 0x7FFF_FFFF
      return Self.zero.replacing(
        with: self, where: magnitude .>= Int32(bitPattern: floor.bitPattern))
    }
  }
}
