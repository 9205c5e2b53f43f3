/// The attack, release and level range of four level detectors of one channel.
struct LevelBallistics {
  /// The level in dB SPL at the lower end of the gain curve. Below this level, the gain is
  /// constant.
  var minimumLevel: Float4 = .zero
  /// The level in dB SPL at the upper end of the gain curve. Above this level, the gain is
  /// constant.
  var maximumLevel: Float4 = .zero

  /// The fraction of a level rise that the attack filter completes within one window (at most 2
  /// ms).
  var attack = Float4(repeating: 1)
  /// The fraction of a level fall that the release filter completes within one window (at most 2
  /// ms).
  var release = Float4(repeating: 1)
  /// The fraction of a level rise that the attack filter completes within half a window (at most 1
  /// ms).
  var attackLead = Float4(repeating: 1)
  /// The fraction of a level fall that the release filter completes within half a window (at most 1
  /// ms).
  var releaseLead = Float4(repeating: 1)

  /// Predicts the level half a window (at most 1 ms) later, if `target` is constant. The gains for
  /// a measured level are reached only one window after the measurement. The prediction compensates
  /// for this delay.
  @inline(__always)
  func predicted(_ level: Float4, to target: Float4) -> Float4 {
    let distance = target - level
    return level + distance * releaseLead.replacing(with: attackLead, where: distance .> 0)
  }

  /// The level one window (at most 2 ms) later. A one-pole filter moves the level in dB towards
  /// `target`.
  @inline(__always)
  func followed(_ level: Float4, to target: Float4) -> Float4 {
    let distance = target - level
    let fraction = release.replacing(with: attack, where: distance .> 0)
    // If the distance from the target is small, the level is set to the target, so that the
    // distance never becomes denormal.
    let isClose = (distance .< Self.minimumDistance) .& (distance .> -Self.minimumDistance)
    return (level + distance * fraction).replacing(with: target, where: isClose)
  }

  /// Clamps `level` to the level range of the gain curves.
  @inline(__always)
  func limited(_ level: Float4) -> Float4 {
    level.larger(minimumLevel).smaller(maximumLevel)
  }

  /// Copies all properties of the detector in lane 0 of `other` to the vector lane `lane`.
  mutating func set(lane: Int, toFirstOf other: LevelBallistics) {
    minimumLevel[lane] = other.minimumLevel[0]
    maximumLevel[lane] = other.maximumLevel[0]
    attack[lane] = other.attack[0]
    release[lane] = other.release[0]
    attackLead[lane] = other.attackLead[0]
    releaseLead[lane] = other.releaseLead[0]
  }

  /// If a level is closer to its target than this distance in dB, the level is set to the target.
  private static let minimumDistance: Float = 1e-4
}

/// The levels in dB SPL of four detectors of one channel.
struct LevelStates {
  /// The measured levels of the last window (at most 2 ms), without attack and release.
  var measured: Float4 = .zero
  /// The measured levels after attack and release, for meters.
  var shown: Float4 = .zero
  /// The levels after channel linking, attack and release, limited to the level range of the
  /// curves. The input of the gain curves is a prediction of these levels: the levels half a window
  /// (at most 1 ms) later.
  var inForce: Float4 = .zero
}
