/// How much a voice call lowers the other audio that plays beside it.
///
///     processor.otherAudioDucking = OtherAudioDuckingConfiguration(
///       enableAdvancedDucking: true, duckingLevel: .mid)
///
/// Plain ducking holds other audio down by a fixed amount for as long as the call lasts. Advanced
/// ducking follows the voices of either side: the full amount while somebody talks, a quarter of it
/// while nobody does. The two settings are independent of each other.
///
/// It says nothing of the voices themselves, whose level ducking never changes.
public struct OtherAudioDuckingConfiguration: Sendable, Hashable {
  /// Whether the amount follows voice activity. Default false: the amount is fixed.
  public var enableAdvancedDucking: Bool

  /// By how much other audio is lowered. Default ``Level/default``.
  public var duckingLevel: Level

  /// Plain ducking by the default amount, unless told otherwise.
  @_noLocks @_noAllocation
  public init(enableAdvancedDucking: Bool = false, duckingLevel: Level = .default) {
    self.enableAdvancedDucking = enableAdvancedDucking
    self.duckingLevel = duckingLevel
  }

  /// By how many dB other audio is lowered in the end.
  ///
  /// - Parameter isSomebodyTalking: Whether anybody talks on either side; plain ducking does not
  ///   ask.
  @_noLocks @_noAllocation
  public func amount(whileSomebodyTalks isSomebodyTalking: Bool) -> Double {
    enableAdvancedDucking && !isSomebodyTalking ? duckingLevel.idleAmount : duckingLevel.amount
  }
}
