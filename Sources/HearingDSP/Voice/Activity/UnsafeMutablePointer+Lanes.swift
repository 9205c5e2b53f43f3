extension UnsafeMutablePointer<Float> {
  /// Four numbers from `index` on.
  @_noLocks @_noAllocation @inline(__always)
  func lanes(at index: Int) -> Lanes {
    UnsafeRawPointer(self + index).loadUnaligned(as: Lanes.self)
  }

  /// Writes four numbers from `index` on.
  @_noLocks @_noAllocation @inline(__always)
  func store(_ lanes: Lanes, at index: Int) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: lanes, as: Lanes.self)
  }
}
