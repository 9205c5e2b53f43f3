extension UnsafePointer<Float> {
  /// The four numbers from `index` on, wherever they lie.
  @_noLocks @_noAllocation @inline(__always)
  func lanes(at index: Int) -> SIMD4<Float> {
    UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Float>.self)
  }
}

extension UnsafeMutablePointer<Float> {
  /// The four numbers from `index` on, wherever they lie.
  @_noLocks @_noAllocation @inline(__always)
  func lanes(at index: Int) -> SIMD4<Float> {
    UnsafePointer(self).lanes(at: index)
  }

  /// Writes four numbers from `index` on.
  @_noLocks @_noAllocation @inline(__always)
  func setLanes(_ lanes: SIMD4<Float>, at index: Int) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: lanes, as: SIMD4<Float>.self)
  }
}
