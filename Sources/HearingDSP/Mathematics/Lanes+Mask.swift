extension SIMD4<Float> {
  /// The lanes in which the mask holds; 0 in the others.
  @_noLocks @_noAllocation @inline(__always)
  func kept(where mask: SIMDMask<SIMD4<Int32>>) -> Self {
    Self.zero.replacing(with: self, where: mask)
  }
}
