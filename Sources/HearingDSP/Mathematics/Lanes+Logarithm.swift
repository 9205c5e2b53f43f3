extension SIMD4<Float> {
  /// The logarithm to base 2 of each lane, which must be positive and normal, to 2 parts in 10⁷.
  ///
  /// The exponent is taken from the bits so that a factor within √½…√2 remains; its logarithm is
  /// twice the area tangent of (m − 1) / (m + 1), of which four terms are left at single precision.
  var binaryLogarithm: Self {
    @_noLocks @_noAllocation @inline(__always) get {
      let bits = unsafeBitCast(self, to: SIMD4<Int32>.self)
      // The bits of √½: what is above counts for the next power of two.
      let rest = bits &- 0x3F35_04F3
      let exponent = rest &>> 23
      let factor = unsafeBitCast(bits &- (exponent &<< 23), to: Self.self)
      let x = (factor - 1) / (factor + 1)
      let square = x * x
      var sum = square * 0.412_198_58 + 0.577_078_02
      sum = sum * square + 0.961_796_7
      sum = sum * square + 2.885_390_1
      return sum * x + Self(exponent)
    }
  }
}
