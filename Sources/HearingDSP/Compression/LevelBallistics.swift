/// The ballistics of the levels of four bands of one channel: attack, release and the ends of their
/// curves.
struct LevelBallistics {
  /// The ends of the curves in dB SPL; the gain is held beyond them.
  var lowest: Float4 = .zero
  var highest: Float4 = .zero

  /// The share of a rise or a fall that is over after a window.
  var attack = Float4(repeating: 1)
  var release = Float4(repeating: 1)
  /// The same in half a window.
  var attackLead = Float4(repeating: 1)
  var releaseLead = Float4(repeating: 1)

  /// Predicts `level` half a window later with a steady `target`. This compensates for the delay of a
  /// window: it is measured at its end, and the gains arrive at the end of the next one.
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
    // An exponential approach ends in denormals.
    let isThere = (way .< Self.close) .& (way .> -Self.close)
    return (level + way * share).replacing(with: target, where: isThere)
  }

  /// `level`, limited to the ends of the curves.
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
  /// Measured in the last window.
  var measured: Float4 = .zero
  /// With attack and release, for meters.
  var shown: Float4 = .zero
  /// At which the curves are evaluated: linked, limited to their ends, with attack and release.
  var inForce: Float4 = .zero

  /// Forgets every level.
  @_noLocks @_noAllocation @inline(__always)
  mutating func clear() {
    measured = .zero
    shown = .zero
    inForce = .zero
  }
}
