/// A vector of four single-precision numbers.
@usableFromInline package typealias Float4 = SIMD4<Float>

extension SIMD4<Float> {
  /// The IEEE 754 bit patterns of the lanes.
  @inlinable package var bits: SIMD4<Int32> {
    @inline(__always) get {
      unsafe unsafeBitCast(self, to: SIMD4<Int32>.self)
    }
  }

  /// Creates a vector from the IEEE 754 bit patterns of the lanes.
  @inline(__always)
  @inlinable package init(bits: SIMD4<Int32>) {
    self = unsafe unsafeBitCast(bits, to: Self.self)
  }

  /// The power 2ˣ for each lane x in −126…126. The relative error is at most 3 · 10⁻⁷. The result
  /// for 0 is exactly 1.
  ///
  /// The integer nearest to x becomes the exponent of the result. A Taylor series computes the
  /// power for the remaining fraction.
  @inlinable package var powerOfTwo: Self {
    @inline(__always) get {
      // After the addition of 1.5 · 2²³, the low bits of the sum contain the integer nearest to x.
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

  /// The logarithm to base 2 of each lane. The lanes must be positive and normal. The relative
  /// error is at most 4 · 10⁻⁷.
  ///
  /// Each number is split into a power of two and a factor m between √½ and √2. The natural
  /// logarithm of m equals 2 artanh((m − 1) / (m + 1)). In single precision, the series of artanh
  /// needs four terms.
  @inlinable package var binaryLogarithm: Self {
    @inline(__always) get {
      let bits = bits
      // The constant is the bit pattern of √½. Because this constant is subtracted, the factor m is
      // at least √½ and less than √2.
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

  /// For each lane, the greater of the two values. NaN in `other` is ignored. The compiler emits
  /// one instruction for `larger`, but twelve instructions for `pointwiseMax`.
  @inline(__always)
  @inlinable package func larger(_ other: Self) -> Self {
    replacing(with: other, where: other .> self)
  }

  /// For each lane, the smaller of the two values. NaN in `other` is ignored.
  @inline(__always)
  @inlinable package func smaller(_ other: Self) -> Self {
    replacing(with: other, where: other .< self)
  }

  /// The maximum of the four lanes.
  @inlinable package var largest: Float {
    @inline(__always) get { Swift.max(Swift.max(self[0], self[1]), Swift.max(self[2], self[3])) }
  }

  /// A copy of the vector. If the mask is false in a lane, the lane is set to 0.
  @inline(__always)
  @inlinable package func kept(where mask: SIMDMask<SIMD4<Int32>>) -> Self {
    Self.zero.replacing(with: self, where: mask)
  }

  /// A copy of the vector. Lanes with a magnitude below 10⁻¹⁸ (−360 dB) are set to 0. Call this
  /// property for decaying filter states, so that the states become 0 before they become denormal.
  @inlinable package var flushingDenormals: Self {
    @inline(__always) get {
      let floor: Float = 1e-18
      let magnitude = bits & 0x7FFF_FFFF
      return Self.zero.replacing(
        with: self, where: magnitude .>= Int32(bitPattern: floor.bitPattern))
    }
  }
}
