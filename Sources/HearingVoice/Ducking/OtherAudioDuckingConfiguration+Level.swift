extension OtherAudioDuckingConfiguration {
  /// The amounts by which other audio can be lowered.
  public enum Level: String, Sendable, CaseIterable {
    /// 10 dB: other audio stays audible and leaves speech easy to follow.
    case `default`
    /// 3 dB, the least: other audio stays nearly as loud as it was.
    case min
    /// 14 dB.
    case mid
    /// 20 dB, the most: speech is as easy to follow as it gets.
    case max

    /// By how many dB other audio is lowered: all the time by plain ducking, while somebody talks by
    /// advanced ducking.
    public var amount: Double {
      @_noLocks @_noAllocation get {
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
    public var idleAmount: Double { @_noLocks @_noAllocation get { amount / 4 } }
  }
}
