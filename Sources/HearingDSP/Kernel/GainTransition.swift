/// How far gains have moved from the settings before to those in force.
///
/// Gains in dB move along a rise whose slope is a raised cosine, from sub-block to sub-block in
/// straight ramps. While gains depend on level, the transition stays at its last step and the ramps
/// follow the levels.
struct GainTransition: ~Copyable {
  private let timing: RenderTiming
  private let curve: UnsafeMutablePointer<Float>

  /// Steps that are over; nil while everything is static.
  private(set) var step: Int?
  /// Steps that each sub-block takes: 4, 2 or 1.
  private var pace = 1

  init(timing: RenderTiming) {
    self.timing = timing
    curve = RaisedCosine.integral(steps: timing.transitionSteps)
  }

  deinit {
    curve.deallocate()
  }

  /// Whether gains have arrived at the settings, or at what these make of the levels.
  var isSettled: Bool {
    @_noLocks @_noAllocation @inline(__always) get {
      step == nil || step == timing.transitionSteps
    }
  }

  /// Ends at once.
  @_noLocks @_noAllocation @inline(__always)
  mutating func finish(isFollowing: Bool) {
    step = isFollowing ? timing.transitionSteps : nil
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func start() {
    step = 0
  }

  /// Chooses the duration of a transition by its greatest change, the logarithm to base 2 of an
  /// amplitude: 20 ms, 40 or 80.
  @_noLocks @_noAllocation
  mutating func setPace(greatestChange: Float) {
    let decibelsPerOctave: Float = 6.020_6
    let change = greatestChange * decibelsPerOctave
    pace = change <= Self.greatestShortChange ? 4 : change <= 2 * Self.greatestShortChange ? 2 : 1
  }

  /// The step at the end of the sub-block under way.
  @_noLocks @_noAllocation @inline(__always)
  private func nextStep(isMoving: Bool) -> Int {
    let step = step ?? 0
    return isMoving ? min(step + pace, timing.transitionSteps) : step
  }

  /// The point at the end of the sub-block under way.
  ///
  /// - Parameter offset: frames of the window that are over.
  @_noLocks @_noAllocation @inline(__always)
  func point(isMoving: Bool, frames: Int, offset: Int) -> TransitionPoint {
    let next = nextStep(isMoving: isMoving)
    let end = offset + frames
    return TransitionPoint(
      share: curve[next], isLast: next >= timing.transitionSteps,
      reach: end == timing.window ? 1 : Float(end) / Float(timing.window), frames: frames)
  }

  /// Takes the step of a sub-block that is over.
  @_noLocks @_noAllocation @inline(__always)
  mutating func advance(isMoving: Bool, isFollowing: Bool) {
    let next = nextStep(isMoving: isMoving)
    if next < timing.transitionSteps { step = next } else { finish(isFollowing: isFollowing) }
  }

  /// In dB: changes up to here take 20 ms, up to twice as much 40, all others 80.
  private static var greatestShortChange: Float {
    @_noLocks @_noAllocation @inline(__always) get { 20.5 }
  }
}
