/// How gains move from the previous settings to those in force.
///
/// Gains in dB move along a ``GainMotion``, in steps with curved ramps. The ramps are half a step
/// behind the motion and catch up in the last step. New targets continue the current motion. While
/// gains depend on level, straight ramps then follow the levels.
struct GainTransition: ~Copyable {
  private let timing: RenderTiming

  /// Whether gains depend on level.
  var isFollowing = false
  /// Whether new targets wait, because levels have not been measured for long enough.
  private(set) var isWaiting = false
  /// Whether a transition is in progress.
  private(set) var isMoving = false

  /// The number of completed steps, and the number of steps of the whole transition, one more than
  /// the steps of the motion.
  private var step = 0
  private var stepCount = 2

  init(timing: RenderTiming) {
    self.timing = timing
  }

  /// Whether coefficients are ramped at all.
  var isRamped: Bool { isMoving || isFollowing || isWaiting }

  var shape: RampShape {
    isMoving ? .curved : isRamped ? .straight : .none
  }

  /// Whether gains have reached their targets.
  var isSettled: Bool { !isMoving && !isWaiting }

  /// Ends the transition immediately.
  mutating func finish() {
    isMoving = false
    isWaiting = false
  }

  /// Notes that new targets wait.
  mutating func wait() {
    isWaiting = true
  }

  /// Starts a transition to new targets.
  ///
  /// - Parameters:
  ///   - maximumChange: the maximum change of a gain, as the logarithm to base 2 of an amplitude
  ///     ratio.
  ///   - windowProgress: the elapsed fraction of the window, 0…1.
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

  /// The point at the end of the current sub-block.
  ///
  /// - Parameter offset: elapsed frames of the window.
  @inline(__always)
  func point(frames: Int, offset: Int) -> TransitionPoint {
    let end = offset + frames
    let reachesTarget = !isMoving || step + 2 >= stepCount
    return TransitionPoint(
      time: reachesTarget ? nil : Float(step + 1) / Float(stepCount - 1), isWaiting: isWaiting,
      windowProgress: end == timing.window ? 1 : Float(end) / Float(timing.window), frames: frames,
      ramp: shape)
  }

  /// Completes the step of a sub-block.
  mutating func advance() {
    guard isMoving else { return }
    step += 1
    if step >= stepCount { isMoving = false }
  }

  /// In dB. Changes up to this value take 20 ms, or 30 ms if gains are already moving. Changes up
  /// to twice this value take 40 ms; greater changes take 80 ms.
  private static let maximumShortChange: Float = 20.5
}
