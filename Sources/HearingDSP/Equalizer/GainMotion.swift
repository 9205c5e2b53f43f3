/// The distance of four gains from their targets; a transition brings it to 0.
///
/// It is a fifth-degree polynomial of the time since the start of the transition. It starts with
/// the value, velocity and acceleration of the previous motion, even if targets change during a
/// transition, and all three are 0 at its end.
struct GainMotion: BitwiseCopyable {
  private var value = Float4.zero
  private var velocity = Float4.zero
  private var halfAcceleration = Float4.zero
  private var third = Float4.zero
  private var fourth = Float4.zero
  private var fifth = Float4.zero

  @inline(__always)
  init() {}

  /// The distance at `time`: 0 is the start of the transition, 1 its end.
  @inline(__always)
  func distance(at time: Float) -> Float4 {
    var sum = fifth * time + fourth
    sum = sum * time + third
    sum = sum * time + halfAcceleration
    sum = sum * time + velocity
    return sum * time + value
  }

  /// The part of a transition from rest that is complete at `time`, 0…1.
  @inline(__always)
  static func rise(at time: Float) -> Float {
    var sum = time * 6 - 15
    sum = sum * time + 10
    return sum * time * time * time
  }

  /// Starts another transition after the targets have moved by `change`.
  @inline(__always)
  mutating func restart(_ restart: MotionRestart, change: Float4) {
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
  /// The elapsed part of the window, 0…1.
  let reach: Float

  @inline(__always)
  init(time: Float?, stretch: Float, reach: Float) {
    self.time = time
    self.stretch = stretch
    self.reach = reach
  }
}
