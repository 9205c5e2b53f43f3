/// Four numbers side by side.
typealias Lanes = SIMD4<Float>

extension SIMD4<Float> {
  /// 2 to the power of each lane, within −126…126, to 3 parts in 10⁷; exactly 1 for 0.
  ///
  /// The nearest integer goes to the exponent, the Taylor series takes the rest.
  var powerOfTwo: Self {
    @_noLocks @_noAllocation @inline(__always) get {
      // Adding 1.5 · 2²³ leaves the nearest integer in the lowest bits.
      let magic: Float = 12_582_912
      let shifted = self + magic
      let exponent = unsafeBitCast(shifted, to: SIMD4<Int32>.self) &- 0x4B40_0000
      let x = (self - (shifted - magic)) * 0.693_147_18
      var sum = x * 0.001_388_889 + 0.008_333_333
      sum = sum * x + 0.041_666_667
      sum = sum * x + 0.166_666_67
      sum = sum * x + 0.5
      sum = sum * x + 1
      sum = sum * x + 1
      return sum * unsafeBitCast((exponent &+ 127) &<< 23, to: Self.self)
    }
  }
}
