/// The levels in dB SPL of four bands of one channel.
struct LevelLanes {
  /// In the window that is over.
  var measured: Float4 = .zero
  /// With attack and release, for meters.
  var shown: Float4 = .zero
  /// What the curves are asked for: linked, within their ends, with attack and release.
  var inForce: Float4 = .zero

  /// Forgets every level.
  @_noLocks @_noAllocation @inline(__always)
  mutating func clear() {
    measured = .zero
    shown = .zero
    inForce = .zero
  }
}
