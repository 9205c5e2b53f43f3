/// Specifies how much other audio, for example music, is lowered during a voice call.
///
///     processor.otherAudioDucking = OtherAudioDuckingConfiguration(
///       enableAdvancedDucking: true, duckingLevel: .mid)
///
/// Plain ducking lowers other audio by a fixed amount during the whole call. Advanced ducking
/// follows the voices at both ends. While somebody talks, advanced ducking lowers other audio by
/// the full amount in dB. While nobody talks, advanced ducking lowers other audio by a quarter of
/// the full amount.
///
/// Ducking never changes the level of the voices.
public struct OtherAudioDuckingConfiguration: Sendable, Hashable {
  /// Whether the amount of ducking depends on whether somebody talks. The default is false: the
  /// amount is fixed.
  public var enableAdvancedDucking: Bool

  /// The amount by which other audio is lowered. The default is ``Level/default``.
  public var duckingLevel: Level

  /// Creates a configuration. By default, other audio is always lowered by the amount of
  /// ``Level/default``.
  public init(enableAdvancedDucking: Bool = false, duckingLevel: Level = .default) {
    self.enableAdvancedDucking = enableAdvancedDucking
    self.duckingLevel = duckingLevel
  }

  /// The amount in dB by which other audio is lowered.
  ///
  /// - Parameter isSomebodyTalking: Whether somebody talks at either end of the call. If
  ///   ``enableAdvancedDucking`` is false, this parameter has no effect.
  public func amount(whileSomebodyTalks isSomebodyTalking: Bool) -> Double {
    enableAdvancedDucking && !isSomebodyTalking ? duckingLevel.idleAmount : duckingLevel.amount
  }
}

extension OtherAudioDuckingConfiguration {
  /// The amounts by which other audio can be lowered.
  public enum Level: String, Sendable, CaseIterable {
    /// 10 dB. Other audio stays audible, and speech is easy to understand.
    case `default`
    /// 3 dB, the minimum. Other audio stays nearly as loud as without ducking.
    case min
    /// 14 dB, between ``default`` and ``max``.
    case mid
    /// 20 dB, the maximum. Speech is easiest to understand.
    case max

    /// The amount in dB by which other audio is lowered. Plain ducking applies this amount during
    /// the whole call. Advanced ducking applies this amount while somebody talks.
    public var amount: Double {
      switch self {
      case .default: 10
      case .min: 3
      case .mid: 14
      case .max: 20
      }
    }

    /// The amount in dB by which advanced ducking lowers other audio while nobody talks: a quarter
    /// of ``amount``.
    public var idleAmount: Double { amount / 4 }
  }
}
