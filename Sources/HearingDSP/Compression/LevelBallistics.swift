/// How the levels of four bands of one channel may move: the ends of their curves, attack and
/// release.
struct LevelBallistics {
  /// The ends of the curves in dB SPL; the gain is held beyond them.
  var lowest: Float4 = .zero
  var highest: Float4 = .zero

  /// The share of the way to a higher level, or to a lower one, that is gone in a window.
  var attack = Float4(repeating: 1)
  var release = Float4(repeating: 1)
  /// The same in half a window.
  var attackLead = Float4(repeating: 1)
  var releaseLead = Float4(repeating: 1)

  /// Where `level` will be half a window later if `target` stays: gains reach what they are aimed at
  /// only at the end of the next window, and a window is over before it has been measured.
  @_noLocks @_noAllocation @inline(__always)
  func ahead(_ level: Float4, to target: Float4) -> Float4 {
    let way = target - level
    return level + way * releaseLead.replacing(with: attackLead, where: way .> 0)
  }

  /// The level after a window: a one-pole in dB towards `target`.
  @_noLocks @_noAllocation @inline(__always)
  func followed(_ level: Float4, to target: Float4) -> Float4 {
    let way = target - level
    let share = release.replacing(with: attack, where: way .> 0)
    // The end of an endless approach would be denormal numbers.
    let isThere = (way .< Self.close) .& (way .> -Self.close)
    return (level + way * share).replacing(with: target, where: isThere)
  }

  /// `level` brought within the ends of the curves.
  @_noLocks @_noAllocation @inline(__always)
  func limited(_ level: Float4) -> Float4 {
    let raised = level.replacing(with: lowest, where: level .< lowest)
    return raised.replacing(with: highest, where: raised .> highest)
  }

  /// In dB.
  private static var close: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-4 }
  }
}

/// The levels in dB SPL of four bands of one channel.
struct LevelStates {
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
