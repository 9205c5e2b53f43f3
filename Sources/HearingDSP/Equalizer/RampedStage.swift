internal import HearingBuffers

/// A stage whose gains move to new settings, and follow levels, along a ``GainTransition``.
///
/// For conformance only, never used as an existential.
protocol RampedStage: RenderStage, ~Copyable {
  /// Sets the gains of the first settings, without a transition.
  mutating func begin(_ slot: Row<SettingsSlot>, _ targets: TargetGains)

  /// Whether any fixed gain of `slot` differs from the one in force.
  func differs(from slot: Row<SettingsSlot>) -> Bool

  /// The maximum change of a gain in a transition to new targets, as a logarithm to base 2 of the
  /// amplitude ratio.
  func maximumChange(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, windowProgress: Float
  ) -> Float

  /// Starts a transition to new targets.
  mutating func startTransition(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ restart: MotionRestart)

  /// Starts the ramp to a point of the transition.
  mutating func startRamp(
    to point: TransitionPoint, _ slot: Row<SettingsSlot>, _ targets: TargetGains)

  /// Sets the values at the end of a ramp exactly.
  mutating func finishRamp(_ shape: RampShape)
}

/// A point of a transition at the end of a sub-block. A straight ramp reaches it there; a curved
/// ramp reaches it half a sub-block later.
struct TransitionPoint: BitwiseCopyable {
  /// The time on the transition's polynomial, 0…1; nil if the gains are at their targets.
  let time: Float?
  /// The fraction of the targets' change since the start of the transition that is included at this
  /// point, 0…1; for targets that follow levels.
  let progress: Float
  /// Whether the targets stay unchanged, because new ones wait until levels are known.
  let isWaiting: Bool
  /// The elapsed fraction of the window at this point, 0…1.
  let windowProgress: Float
  /// Frames until this point.
  let frames: Int
  /// How gains move to this point.
  let ramp: RampShape

  init(time: Float?, isWaiting: Bool, windowProgress: Float, frames: Int, ramp: RampShape) {
    self.time = time
    if let time { progress = GainMotion.progress(at: time) } else { progress = 1 }
    self.isWaiting = isWaiting
    self.windowProgress = windowProgress
    self.frames = frames
    self.ramp = ramp
  }
}

/// The gains that level-dependent channels move to, as rows in the memory of a ``CompressorStage``.
struct TargetGains: BitwiseCopyable {
  /// Gains of the sections, at the end of this window and of the previous one, `[channel][vector]`,
  /// as in ``SectionTargets/gain``.
  let sections: Row<Float4>
  let pastSections: Row<Float4>
  /// Broadband gains at the same times, as base-2 logarithms, `[channel]`.
  let broadband: Row<Float>
  let pastBroadband: Row<Float>
  /// The gains of the curves in dB, `[channel][band]`.
  let bands: Row<Float>
  /// The gains in dB that the sections together reach, `[channel][band]`.
  let reached: Row<Float>
}
