/// The ducking gain over time: fast down, slow up, with rounded corners.
///
/// Gains are integers in millionths of a dB, so there is no rounding drift and the final gain is
/// exact. Two running means, each half the attack time long, round the corners. A transition down
/// is a step that passes through both means; a transition up is a straight line that passes through
/// both means. A mean lies between its inputs, so the gain never overshoots, even if the target
/// changes during a transition.
struct DuckingGlide: ~Copyable {
  /// Millionths of a dB.
  private(set) var gain: Int64
  /// The gain at the end of the transition.
  private(set) var target: Int64

  private let roundingSteps: Int
  private let risingSteps: Int
  private var first: RunningMean
  private var second: RunningMean
  /// The gain before rounding.
  private var edge: Int64
  private var riseStart: Int64
  private var riseStep: Int
  /// The number of steps since the unrounded gain stopped changing.
  private var settlingSteps: Int

  /// A constant gain of `gain`.
  ///
  /// - Parameters:
  ///   - attackSteps: Steps of a transition down.
  ///   - releaseSteps: Steps of a transition up, more than `attackSteps`.
  init(gain: Int64, attackSteps: Int, releaseSteps: Int) {
    self.gain = gain
    target = gain
    edge = gain
    riseStart = gain
    let half = max(1, (attackSteps + 1) / 2)
    roundingSteps = 2 * half
    risingSteps = max(1, releaseSteps - roundingSteps)
    riseStep = risingSteps
    settlingSteps = roundingSteps
    first = RunningMean(length: half, of: gain)
    second = RunningMean(length: half, of: gain)
  }

  /// Whether the gain has reached its target.
  var isSettled: Bool {
    @inline(__always) get { settlingSteps >= roundingSteps }
  }

  /// Jumps to `gain`.
  mutating func jump(to gain: Int64) {
    self.gain = gain
    target = gain
    edge = gain
    riseStep = risingSteps
    settlingSteps = roundingSteps
    first.fill(with: gain)
    second.fill(with: gain)
  }

  /// Starts a transition from the current gain to `gain`.
  mutating func startTransition(to gain: Int64) {
    guard gain != target else { return }
    target = gain
    settlingSteps = 0
    // An incomplete transition down stops at the current gain.
    riseStart = max(edge, min(self.gain, gain))
    if riseStart < gain {
      edge = riseStart
      riseStep = 0
    } else {
      edge = gain
      riseStep = risingSteps
    }
  }

  /// Advances by one step.
  mutating func advance() {
    if riseStep < risingSteps {
      riseStep += 1
      edge = riseStart + (target - riseStart) * Int64(riseStep) / Int64(risingSteps)
    } else {
      settlingSteps += 1
    }
    gain = second.add(first.add(edge))
  }
}
