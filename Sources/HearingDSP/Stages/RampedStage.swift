/// A stage whose gains move to new settings, and follow levels, along a ``GainTransition``.
///
/// For conformance only, never used as an existential.
protocol RampedStage: RenderStage, ~Copyable {
  /// Takes the gains of the first settings at once.
  mutating func begin(_ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains)

  /// Makes the gains in force the start of a transition.
  ///
  /// - Returns: whether any fixed gain of `slot` differs from the one in force.
  mutating func startTransition(_ slot: UnsafeMutablePointer<SettingsSlot>) -> Bool

  /// The greatest change of the transition that starts, as a logarithm to base 2 of the amplitude.
  func greatestChange(_ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains) -> Float

  /// Starts the ramp to a point of the transition.
  mutating func startRamp(
    to point: TransitionPoint, _ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains)

  /// Ends the ramp exactly at its point.
  mutating func finishRamp()
}

/// A point of a transition, which a ramp reaches at the end of a sub-block.
struct TransitionPoint: BitwiseCopyable {
  /// The share of the way from the old gains to the new ones, 0…1.
  let share: Float
  /// Whether the transition ends there; always true while gains only follow levels.
  let isLast: Bool
  /// The share of the window that is over by then, 0…1.
  let reach: Float
  /// Frames until then.
  let frames: Int

  @_noLocks @_noAllocation @inline(__always)
  init(share: Float, isLast: Bool, reach: Float, frames: Int) {
    self.share = share
    self.isLast = isLast
    self.reach = reach
    self.frames = frames
  }
}

/// The gains that level-dependent channels move to; memory of a ``CompressorStage``.
struct TargetGains: BitwiseCopyable {
  /// Of the sections, at the end of this window and of the last one, `[channel][vector]`, as in
  /// ``SectionTargets/gain``.
  let sections: UnsafePointer<Float4>
  let pastSections: UnsafePointer<Float4>
  /// Of the broadband gain, as a logarithm to base 2, `[channel]`.
  let broadband: UnsafePointer<Float>
  let pastBroadband: UnsafePointer<Float>
  /// What the curves give, in dB, `[channel][band]`.
  let bands: UnsafePointer<Float>

  @_noLocks @_noAllocation @inline(__always)
  init(
    sections: UnsafePointer<Float4>, pastSections: UnsafePointer<Float4>,
    broadband: UnsafePointer<Float>, pastBroadband: UnsafePointer<Float>,
    bands: UnsafePointer<Float>
  ) {
    self.sections = sections
    self.pastSections = pastSections
    self.broadband = broadband
    self.pastBroadband = pastBroadband
    self.bands = bands
  }
}
