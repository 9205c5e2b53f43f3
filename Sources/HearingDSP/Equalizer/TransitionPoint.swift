internal import HearingBuffers

/// The state of a gain transition at the end of a sub-block (at most 1 ms). A straight ramp ends at
/// the transition point. A curved ramp ends at the midpoint between the previous and the current
/// transition point, because a curved ramp is delayed by half a sub-block.
struct TransitionPoint: BitwiseCopyable {
  /// The time since the start of the transition, as a fraction of the transition's duration, 0…1.
  /// Nil if the gains have reached their targets.
  let time: Float?
  /// Whether the transition to new target gains waits until the measured input levels have settled.
  /// While the transition waits, the target gains do not change.
  let isWaiting: Bool
  /// The elapsed fraction of the current window (at most 2 ms) at the transition point, 0…1.
  let windowProgress: Float
  /// The number of frames from the start of the sub-block to the transition point.
  let frames: Int
  /// The shape of the ramp to the transition point.
  let ramp: RampShape

  /// The completed fraction of the transition at the transition point, 0…1. During a transition, a
  /// level-dependent target is a weighted mean of two gains: the target gain at the start of the
  /// transition, and the current target gain. The completed fraction is the weight of the current
  /// target gain.
  var progress: Float {
    @inline(__always) get { if let time { GainMotion.progress(at: time) } else { 1 } }
  }
}

/// The target gains of the channels with level-dependent gains. A ``CompressorStage`` owns the
/// memory of the gains.
struct TargetGains: BitwiseCopyable {
  /// The gains of the filter sections at the end of the current window (at most 2 ms),
  /// `[channel][vector]`. A vector contains four sections. The gains have the same unit as
  /// ``SectionTargets/gain``.
  let sections: Row<Float4>
  /// The gains of the filter sections at the end of the previous window (at most 2 ms),
  /// `[channel][vector]`. A vector contains four sections.
  let pastSections: Row<Float4>
  /// The logarithms to base 2 of the broadband gains at the end of the current window, `[channel]`.
  let broadband: Row<Float>
  /// The logarithms to base 2 of the broadband gains at the end of the previous window,
  /// `[channel]`.
  let pastBroadband: Row<Float>
  /// The gains in dB from the gain curves, `[channel][band]`.
  let bands: Row<Float>
  /// The gain in dB that the filter sections and the broadband stage together reach at each band
  /// centre, `[channel][band]`.
  let reached: Row<Float>
}
