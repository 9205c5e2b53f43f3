/// The levels in dB SPL of four bands of one channel.
struct LevelLanes {
  /// In the window that is over.
  var measured: Lanes = .zero
  /// With attack and release, for meters.
  var shown: Lanes = .zero
  /// What the curves are asked for: linked, within their ends, with attack and release.
  var inForce: Lanes = .zero

  /// Forgets every level.
  @_noLocks @_noAllocation @inline(__always)
  mutating func clear() {
    measured = .zero
    shown = .zero
    inForce = .zero
  }
}
