internal import HearingBuffers

/// A stage whose gains move to new settings along a ``GainTransition``, and then follow the levels.
///
/// Stages conform to this protocol. No code uses the protocol as an existential type.
protocol RampedStage: RenderStage, ~Copyable {
  /// Sets the gains of the first settings, without a transition.
  mutating func begin(_ slot: Row<SettingsSlot>, _ targets: TargetGains)

  /// Whether any fixed gain of `slot` differs from the current gain.
  func differs(from slot: Row<SettingsSlot>) -> Bool

  /// For a transition to new targets, the maximum change of a gain, as the logarithm to base 2 of
  /// an amplitude ratio.
  func maximumChange(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, windowProgress: Float
  ) -> Float

  /// Starts a transition to new targets.
  mutating func startTransition(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ restart: MotionRestart)

  /// Starts the ramp to a point of the transition.
  mutating func startRamp(
    to point: TransitionPoint, _ slot: Row<SettingsSlot>, _ targets: TargetGains)

  /// Sets the coefficients or gains to their exact values at the end of a ramp.
  mutating func finishRamp(_ shape: RampShape)
}

/// The state of a transition at the end of a sub-block. A straight ramp ends at this point. A
/// curved ramp is half a sub-block behind: it ends at the midpoint between the previous point and
/// this point.
struct TransitionPoint: BitwiseCopyable {
  /// The time on the polynomial of ``GainMotion``, 0…1. Nil if the gains are at their targets.
  let time: Float?
  /// The completed fraction of the transition at this point, 0…1. A target that changes with the
  /// level has moved by this fraction from its start value to its current value.
  let progress: Float
  /// Whether the transition to new targets waits for the levels, so that the targets stay
  /// unchanged.
  let isWaiting: Bool
  /// The elapsed fraction of the window at this point, 0…1.
  let windowProgress: Float
  /// The number of frames until this point is reached.
  let frames: Int
  /// The shape of the ramp to this point.
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

/// The target gains of the channels whose gains depend on the level. The rows are in the memory of
/// a ``CompressorStage``.
struct TargetGains: BitwiseCopyable {
  /// The gains of the sections at the end of the current window, `[channel][vector]`. The unit is
  /// the same as in ``SectionTargets/gain``.
  let sections: Row<Float4>
  /// The gains of the sections at the end of the previous window, `[channel][vector]`.
  let pastSections: Row<Float4>
  /// The logarithms to base 2 of the broadband gains at the end of the current window, `[channel]`.
  let broadband: Row<Float>
  /// The logarithms to base 2 of the broadband gains at the end of the previous window,
  /// `[channel]`.
  let pastBroadband: Row<Float>
  /// The gains in dB from the gain curves, `[channel][band]`.
  let bands: Row<Float>
  /// The gains in dB that all sections together reach at the band centres, `[channel][band]`.
  let reached: Row<Float>
}
