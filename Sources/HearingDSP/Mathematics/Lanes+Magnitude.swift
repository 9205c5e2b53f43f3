extension SIMD4<Float> {
  /// The magnitude of each lane.
  var magnitude: Self {
    @_noLocks @_noAllocation @inline(__always) get {
      unsafeBitCast(unsafeBitCast(self, to: SIMD4<Int32>.self) & 0x7FFF_FFFF, to: Self.self)
    }
  }
}
