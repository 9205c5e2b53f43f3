/// How much a voice call lowers the other audio that plays beside it.
///
///     processor.otherAudioDucking = OtherAudioDuckingConfiguration(
///       enableAdvancedDucking: true, duckingLevel: .mid)
///
/// Plain ducking lowers other audio by a fixed amount during the whole call. Advanced ducking
/// follows the voices of either side: the full amount while somebody talks, a quarter of it while
/// nobody does. The two settings are independent of each other.
///
/// Ducking never changes the level of the voices.
public struct OtherAudioDuckingConfiguration: Sendable, Hashable {
  /// Whether the amount follows voice activity. Default false: the amount is fixed.
  public var enableAdvancedDucking: Bool

  /// By how much other audio is lowered. Default ``Level/default``.
  public var duckingLevel: Level

  /// A configuration; by default, plain ducking by the default amount.
  public init(enableAdvancedDucking: Bool = false, duckingLevel: Level = .default) {
    self.enableAdvancedDucking = enableAdvancedDucking
    self.duckingLevel = duckingLevel
  }

  /// By how many dB other audio is lowered.
  ///
  /// - Parameter isSomebodyTalking: Whether anybody talks on either side; plain ducking ignores it.
  public func amount(whileSomebodyTalks isSomebodyTalking: Bool) -> Double {
    enableAdvancedDucking && !isSomebodyTalking ? duckingLevel.idleAmount : duckingLevel.amount
  }
}

extension OtherAudioDuckingConfiguration {
  /// The amounts by which other audio can be lowered.
  public enum Level: String, Sendable, CaseIterable {
    /// 10 dB: other audio stays audible and leaves speech easy to follow.
    case `default`
    /// 3 dB, the minimum: other audio stays nearly as loud as before.
    case min
    /// 14 dB.
    case mid
    /// 20 dB, the maximum: speech is easiest to follow.
    case max

    /// By how many dB other audio is lowered: all the time by plain ducking, while somebody talks
    /// by advanced ducking.
    public var amount: Double {
      get {
        switch self {
        case .default: 10
        case .min: 3
        case .mid: 14
        case .max: 20
        }
      }
    }

    /// By how many dB advanced ducking lowers other audio while nobody talks: a quarter of
    /// ``amount``.
    public var idleAmount: Double { amount / 4 }
  }
}
