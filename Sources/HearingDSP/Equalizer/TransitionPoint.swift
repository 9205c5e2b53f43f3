internal import HearingBuffers

/// The state of a transition at the end of a sub-block. A straight ramp ends at the transition
/// point. A curved ramp is delayed by half a sub-block, and ends at the midpoint between the
/// previous and the current transition point.
struct TransitionPoint: BitwiseCopyable {
  /// The time since the start of the transition, as a fraction of the transition's duration, 0…1.
  /// Nil if the gains have reached their targets.
  let time: Float?
  /// Whether the transition to new targets waits until the measured levels have settled. While the
  /// transition waits, the targets do not change.
  let isWaiting: Bool
  /// The elapsed fraction of the current window at the transition point, 0…1.
  let windowProgress: Float
  /// The number of frames until the transition point is reached.
  let frames: Int
  /// The shape of the ramp to the transition point.
  let ramp: RampShape

  /// The completed fraction of the transition at the transition point, 0…1. A level-dependent
  /// target is interpolated from its start value to its current value. The completed fraction is
  /// the weight of the current value.
  var progress: Float {
    @inline(__always) get { if let time { GainMotion.progress(at: time) } else { 1 } }
  }
}

/// The target gains of the channels with level-dependent gains. A ``CompressorStage`` owns the
/// memory of the gains.
struct TargetGains: BitwiseCopyable {
  /// The gains of the filter sections at the end of the current window, `[channel][vector]`. The
  /// gains have the same unit as ``SectionTargets/gain``.
  let sections: Row<Float4>
  /// The gains of the filter sections at the end of the previous window, `[channel][vector]`.
  let pastSections: Row<Float4>
  /// The logarithms to base 2 of the broadband gains at the end of the current window, `[channel]`.
  let broadband: Row<Float>
  /// The logarithms to base 2 of the broadband gains at the end of the previous window,
  /// `[channel]`.
  let pastBroadband: Row<Float>
  /// The gains in dB from the gain curves, `[channel][band]`.
  let bands: Row<Float>
  /// The total gain in dB of the sections and the broadband stage at each band centre,
  /// `[channel][band]`.
  let reached: Row<Float>
}
