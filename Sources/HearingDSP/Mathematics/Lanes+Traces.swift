extension SIMD4<Float> {
  /// Below this magnitude (−360 dB) a state counts as silence.
  private static var trace: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-18 }
  }

  /// The lanes that can be heard; 0 for the others.
  var withoutTraces: Self {
    @_noLocks @_noAllocation @inline(__always) get {
      let magnitude = unsafeBitCast(self, to: SIMD4<Int32>.self) & 0x7FFF_FFFF
      return Lanes.zero.replacing(
        with: self, where: magnitude .>= Int32(bitPattern: Self.trace.bitPattern))
    }
  }
}
