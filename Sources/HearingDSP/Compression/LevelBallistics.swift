/// The ballistics of the levels of four bands of one channel: attack, release and the ends of their
/// curves.
struct LevelBallistics {
  /// The ends of the curves in dB SPL; the gain is constant beyond them.
  var minimumLevel: Float4 = .zero
  var maximumLevel: Float4 = .zero

  /// The fraction of a rise or a fall that is complete after one window.
  var attack = Float4(repeating: 1)
  var release = Float4(repeating: 1)
  /// The fraction that is complete after half a window.
  var attackLead = Float4(repeating: 1)
  var releaseLead = Float4(repeating: 1)

  /// Predicts `level` half a window later, for a steady `target`. This compensates for the delay of
  /// a window: the level is measured at the end of one window, and the gains arrive at the end of
  /// the next.
  @inline(__always)
  func predicted(_ level: Float4, to target: Float4) -> Float4 {
    let distance = target - level
    return level + distance * releaseLead.replacing(with: attackLead, where: distance .> 0)
  }

  /// The level after a window: a one-pole filter in dB that moves it towards `target`.
  @inline(__always)
  func followed(_ level: Float4, to target: Float4) -> Float4 {
    let distance = target - level
    let fraction = release.replacing(with: attack, where: distance .> 0)
    // Without this, the distance would decay into denormals.
    let isClose = (distance .< Self.minimumDistance) .& (distance .> -Self.minimumDistance)
    return (level + distance * fraction).replacing(with: target, where: isClose)
  }

  /// `level`, limited to the ends of the curves.
  @inline(__always)
  func limited(_ level: Float4) -> Float4 {
    let raised = level.replacing(with: minimumLevel, where: level .< minimumLevel)
    return raised.replacing(with: maximumLevel, where: raised .> maximumLevel)
  }

  /// The distance in dB below which a level counts as equal to its target.
  private static let minimumDistance: Float = 1e-4
}

/// The levels in dB SPL of four bands of one channel.
struct LevelStates {
  /// Measured in the last window.
  var measured: Float4 = .zero
  /// The measured levels with attack and release, for meters.
  var shown: Float4 = .zero
  /// The levels at which the curves are evaluated: linked, limited to the ends of the curves, with
  /// attack and release.
  var inForce: Float4 = .zero
}
