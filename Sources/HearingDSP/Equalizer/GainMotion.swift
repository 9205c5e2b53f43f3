/// Four gains as functions of time during a transition. The gains change from their current values
/// to their target gains.
///
/// The distance of a gain from its target is a fifth-degree polynomial of the time since the start
/// of the transition. At the start of a new transition, the value, velocity and acceleration of the
/// gain do not jump. At the end of the transition, the value, velocity and acceleration of the
/// polynomial are 0. Therefore gains change smoothly even if the targets change during a
/// transition.
///
/// Some target gains depend on the input level and change during a transition. The target of the
/// polynomial is a weighted mean of two gains: the target gain at the start of the transition, and
/// the current target gain. The weight of the current target gain is the completed fraction of the
/// transition.
struct GainMotion: BitwiseCopyable {
  /// The current target gains.
  private(set) var target = Float4.zero
  /// The target gains at the start of the transition.
  private var startTarget = Float4.zero

  // The coefficients of the polynomial for the distance from the targets.
  private var value = Float4.zero
  private var velocity = Float4.zero
  private var halfAcceleration = Float4.zero
  private var third = Float4.zero
  private var fourth = Float4.zero
  private var fifth = Float4.zero

  /// The distance from the targets at `time`. Time 0 is the start of the transition, and time 1 is
  /// the end of the transition.
  @inline(__always)
  func distance(at time: Float) -> Float4 {
    var sum = fifth * time + fourth
    sum = sum * time + third
    sum = sum * time + halfAcceleration
    sum = sum * time + velocity
    return sum * time + value
  }

  /// The completed fraction of the gain change at `time`, 0…1, if the gains were constant before
  /// the transition.
  static func progress(at time: Float) -> Float {
    var sum = time * 6 - 15
    sum = sum * time + 10
    return sum * time * time * time
  }

  /// Sets the gains to `gains` immediately, without a transition.
  mutating func begin(at gains: Float4) {
    target = gains
  }

  /// The gains at the transition point `point`. The parameter `end` contains the target gains at
  /// `point`.
  @inline(__always)
  mutating func gains(at point: TransitionPoint, to end: Float4) -> Float4 {
    if !point.isWaiting {
      target = point.time == nil ? end : startTarget + (end - startTarget) * point.progress
    }
    guard let time = point.time else { return target }
    return target + distance(at: time)
  }

  /// Starts a new transition to the targets `end`.
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

/// Describes how a new transition continues the previous transition.
struct MotionRestart: BitwiseCopyable {
  /// The elapsed fraction of the previous transition, 0…1. Nil if the gains are constant.
  let time: Float?
  /// The duration of the new transition divided by the duration of the previous transition.
  let stretch: Float
  /// The elapsed fraction of the current window (at most 2 ms), 0…1.
  let windowProgress: Float
}
