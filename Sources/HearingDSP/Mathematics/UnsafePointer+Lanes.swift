extension UnsafePointer<Float> {
  /// The four numbers from `index` on, wherever they lie.
  @_noLocks @_noAllocation @inline(__always)
  func lanes(at index: Int) -> Lanes {
    UnsafeRawPointer(self + index).loadUnaligned(as: Lanes.self)
  }
}

extension UnsafeMutablePointer<Float> {
  /// The four numbers from `index` on, wherever they lie.
  @_noLocks @_noAllocation @inline(__always)
  func lanes(at index: Int) -> Lanes {
    UnsafePointer(self).lanes(at: index)
  }

  /// Writes four numbers from `index` on.
  @_noLocks @_noAllocation @inline(__always)
  func setLanes(_ lanes: Lanes, at index: Int) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: lanes, as: Lanes.self)
  }
}
