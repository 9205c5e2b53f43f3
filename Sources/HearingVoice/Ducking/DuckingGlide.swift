internal import HearingDSP

/// Computes the ducking gain over time. The gain falls fast and rises slowly.
///
/// The gain changes once in each time step. A time step is 0.08…0.67 ms long, depending on the
/// sample rate. Gains are integers in millionths of a dB. Therefore rounding errors do not
/// accumulate, and the final gain is exact. Two running means in series smooth the start and the
/// end of each transition. Each running mean covers half of the attack time, which is the duration
/// of a transition to a lower gain. If the target is lower than the current gain, the input of the
/// running means jumps to the target. If the target is higher than the current gain, the input of
/// the running means rises along a straight line. A running mean always lies between the minimum
/// and the maximum of its input. Therefore the gain never overshoots, even if the target changes
/// during a transition.
struct DuckingGlide: ~Copyable {
  /// The current gain in millionths of a dB.
  private(set) var gain: Int64 = 0
  /// The gain at the end of the transition, in millionths of a dB.
  private(set) var target: Int64 = 0

  private let roundingSteps: Int
  private let risingSteps: Int
  private var first: RunningSum
  private var second: RunningSum
  /// The gain before smoothing, in millionths of a dB. This gain is the input of the running means.
  private var edge: Int64 = 0
  private var riseStart: Int64 = 0
  private var riseStep = 0
  /// The number of time steps since the input of the running means reached the target.
  private var settlingSteps = 0

  /// Starts with a constant gain, in millionths of a dB.
  ///
  /// - Parameters:
  ///   - attackSteps: The number of time steps of a transition to a lower gain.
  ///   - releaseSteps: The number of time steps of a transition to a higher gain. `releaseSteps`
  ///     must be more than `attackSteps`.
  init(gain: Int64, attackSteps: Int, releaseSteps: Int) {
    let half = max(1, (attackSteps + 1) / 2)
    roundingSteps = 2 * half
    risingSteps = max(1, releaseSteps - roundingSteps)
    first = RunningSum(length: half)
    second = RunningSum(length: half)
    jump(to: gain)
  }

  /// Whether the gain has reached its target.
  var isSettled: Bool { settlingSteps >= roundingSteps }

  /// Sets the gain to `gain` without a transition.
  mutating func jump(to gain: Int64) {
    (self.gain, target, edge) = (gain, gain, gain)
    (riseStep, settlingSteps) = (risingSteps, roundingSteps)
    first.fill(gain)
    second.fill(gain)
  }

  /// Starts a transition from the current gain to `gain`.
  mutating func startTransition(to gain: Int64) {
    guard gain != target else { return }
    target = gain
    settlingSteps = 0
    // If a falling transition has not ended, the rise starts at the current gain.
    edge = min(gain, max(edge, self.gain))
    riseStart = edge
    riseStep = edge < gain ? 0 : risingSteps
  }

  /// Advances the gain by one time step.
  mutating func advance() {
    if riseStep < risingSteps {
      riseStep += 1
      edge = riseStart + (target - riseStart) * Int64(riseStep) / Int64(risingSteps)
    } else {
      settlingSteps += 1
    }
    let length = Int64(roundingSteps / 2)
    gain = second.add(first.add(edge) / length) / length
  }
}
