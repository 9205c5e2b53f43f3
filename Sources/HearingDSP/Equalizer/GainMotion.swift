/// The motion of four gains to their targets during a transition.
///
/// The distance from the targets is a fifth-degree polynomial of the time since the start of the
/// transition. It starts with the value, velocity and acceleration of the previous motion, even if
/// targets change during a transition, and all three are 0 at its end. Targets that follow levels
/// move from their values at the start of the transition to their current values, by the fraction
/// of the transition that is complete.
struct GainMotion: BitwiseCopyable {
  /// The targets now.
  private(set) var target = Float4.zero
  /// The targets at the start of the transition.
  private var startTarget = Float4.zero

  // The distance from the targets.
  private var value = Float4.zero
  private var velocity = Float4.zero
  private var halfAcceleration = Float4.zero
  private var third = Float4.zero
  private var fourth = Float4.zero
  private var fifth = Float4.zero

  /// The distance at `time`: 0 is the start of the transition, 1 its end.
  @inline(__always)
  func distance(at time: Float) -> Float4 {
    var sum = fifth * time + fourth
    sum = sum * time + third
    sum = sum * time + halfAcceleration
    sum = sum * time + velocity
    return sum * time + value
  }

  /// The fraction of a transition from rest that is complete at `time`, 0…1.
  static func progress(at time: Float) -> Float {
    var sum = time * 6 - 15
    sum = sum * time + 10
    return sum * time * time * time
  }

  /// Sets the gains without a transition.
  mutating func begin(at gains: Float4) {
    target = gains
  }

  /// The gains at a point of the transition, for targets that are `end` there.
  @inline(__always)
  mutating func gains(at point: TransitionPoint, to end: Float4) -> Float4 {
    if !point.isWaiting {
      target = point.time == nil ? end : startTarget + (end - startTarget) * point.progress
    }
    guard let time = point.time else { return target }
    return target + distance(at: time)
  }

  /// Starts another transition, to other targets.
  @inline(__always)
  mutating func restart(_ restart: MotionRestart, to end: Float4) {
    let change = end - target
    target = end
    startTarget = end
    if let time = restart.time {
      var slope = fifth * (5 * time) + fourth * 4
      slope = slope * time + third * 3
      slope = slope * time + halfAcceleration * 2
      slope = slope * time + velocity
      var curvature = fifth * (10 * time) + fourth * 6
      curvature = curvature * time + third * 3
      curvature = curvature * time + halfAcceleration
      value = distance(at: time) - change
      velocity = slope * restart.stretch
      halfAcceleration = curvature * (restart.stretch * restart.stretch)
    } else {
      value = Float4.zero - change
      velocity = .zero
      halfAcceleration = .zero
    }
    third = value * -10 - velocity * 6 - halfAcceleration * 3
    fourth = value * 15 + velocity * 8 + halfAcceleration * 3
    fifth = value * -6 - velocity * 3 - halfAcceleration
  }
}

/// How a transition continues the previous one.
struct MotionRestart: BitwiseCopyable {
  /// The time on the previous polynomial, 0…1; nil if no gain moves.
  let time: Float?
  /// The duration of the new transition divided by that of the previous one.
  let stretch: Float
  /// The elapsed fraction of the window, 0…1.
  let windowProgress: Float
}
