extension UnsafePointer<Float> {
  /// Four numbers from `index` on, wherever they lie.
  @_noLocks @_noAllocation @inline(__always)
  func four(_ index: Int) -> SIMD4<Float> {
    UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Float>.self)
  }
}

extension UnsafeMutablePointer<Float> {
  /// Four numbers from `index` on, wherever they lie.
  @_noLocks @_noAllocation @inline(__always)
  func four(_ index: Int) -> SIMD4<Float> {
    UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Float>.self)
  }

  /// Puts four numbers at `index` and after.
  @_noLocks @_noAllocation @inline(__always)
  func setFour(_ index: Int, _ value: SIMD4<Float>) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: value, as: SIMD4<Float>.self)
  }

  /// Memory for `count` numbers, all of them 0; whoever asks for it calls `deallocate()`.
  static func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
    let pointer = UnsafeMutablePointer<Float>.allocate(capacity: count)
    pointer.initialize(repeating: 0, count: count)
    return pointer
  }
}
