/// Controls the smooth transition of the gains from the previous settings to the current settings.
///
/// A ``GainMotion`` defines the gains in dB as functions of time. A transition consists of steps of
/// at most 0.37 ms. In each step, the filter coefficients and the broadband gains follow a curved
/// ramp. The ramps lag behind the ``GainMotion`` by half a step. One additional step at the end of
/// a transition compensates for the lag of the ramps. If the targets change during a transition,
/// the gains continue smoothly to the new targets. After a transition, gains that depend on the
/// level follow the level along straight ramps.
struct GainTransition: ~Copyable {
  private let timing: RenderTiming

  /// Whether any gain depends on the level.
  var isFollowing = false
  /// Whether a transition to new target gains must wait until the measured input levels have
  /// settled.
  var isWaiting = false
  /// Whether a transition is in progress.
  private(set) var isMoving = false

  /// The number of completed steps of the transition.
  private var step = 0
  /// The number of steps of the whole transition: the number of steps of the ``GainMotion`` plus 1.
  private var stepCount = 2

  init(timing: RenderTiming) {
    self.timing = timing
  }

  /// Whether filter coefficients and gains change from sample to sample.
  var isRamped: Bool { isMoving || isFollowing || isWaiting }

  var shape: RampShape {
    isMoving ? .curved : isRamped ? .straight : .none
  }

  /// Whether the gains have reached their targets.
  var isSettled: Bool { !isMoving && !isWaiting }

  /// Ends the transition immediately.
  mutating func finish() {
    isMoving = false
    isWaiting = false
  }

  /// Starts a transition to new target gains.
  ///
  /// - Parameters:
  ///   - maximumChange: the maximum change of a gain, as the logarithm to base 2 of an amplitude
  ///     ratio.
  ///   - windowProgress: the elapsed fraction of the current window (at most 2 ms), 0…1.
  mutating func start(maximumChange: Float, windowProgress: Float) -> MotionRestart {
    let change = maximumChange * Decibels.perOctave
    let short = timing.shortTransition
    let steps =
      change <= Self.maximumShortChange
      ? (isMoving ? timing.repeatedTransition : short)
      : change <= 2 * Self.maximumShortChange ? 2 * short : 4 * short
    let restart = MotionRestart(
      time: isMoving ? Float(step) / Float(stepCount - 1) : nil,
      stretch: Float(steps - 1) / Float(stepCount - 1), windowProgress: windowProgress)
    stepCount = steps
    step = 0
    isMoving = true
    isWaiting = false
    return restart
  }

  /// The state of the transition at the end of the current sub-block.
  ///
  /// - Parameters:
  ///   - frames: the length of the sub-block in frames.
  ///   - offset: the number of frames from the start of the window to the start of the sub-block.
  @inline(__always)
  func point(frames: Int, offset: Int) -> TransitionPoint {
    let end = offset + frames
    let reachesTarget = !isMoving || step + 2 >= stepCount
    return TransitionPoint(
      time: reachesTarget ? nil : Float(step + 1) / Float(stepCount - 1), isWaiting: isWaiting,
      windowProgress: end == timing.window ? 1 : Float(end) / Float(timing.window), frames: frames,
      ramp: shape)
  }

  /// Completes one step (at most 0.37 ms) of the transition.
  mutating func advance() {
    guard isMoving else { return }
    step += 1
    if step >= stepCount { isMoving = false }
  }

  /// The maximum gain change in dB of a transition that takes 20 ms. A transition that interrupts
  /// another transition takes 30 ms instead of 20 ms. A transition takes 40 ms if the gain change
  /// is greater than `maximumShortChange` and at most twice as great. A transition takes 80 ms if
  /// the gain change is more than twice as great as `maximumShortChange`.
  private static let maximumShortChange: Float = 20.5
}
