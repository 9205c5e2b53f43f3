/// The course of a ducking gain from step to step: down fast, up slowly, never with a kink.
///
/// Gains are whole numbers of millionths of a dB, so that nothing drifts and rest is exact. Two
/// running means of half the attack time each round the course off: down, they are all of it; up, a
/// straight line comes before them. What they put out lies between the gains that went in, so
/// nothing overshoots, whenever the aim changes. Render side; a value of pointers; whoever creates it
/// calls `deallocate()`.
struct DuckingGlide {
  /// Millionths of a dB.
  private(set) var gain: Int64
  /// Where the gain goes.
  private(set) var aim: Int64

  private let roundingSteps: Int
  private let risingSteps: Int
  private var first: RunningMean
  private var second: RunningMean
  /// The course before rounding.
  private var edge: Int64
  private var riseStart: Int64
  private var riseStep: Int
  /// Steps since the course before rounding came to rest.
  private var restSteps: Int

  /// At rest at `gain`.
  ///
  /// - Parameters:
  ///   - attackSteps: steps of a way down.
  ///   - releaseSteps: steps of a way up, more than `attackSteps`.
  init(gain: Int64, attackSteps: Int, releaseSteps: Int) {
    self.gain = gain
    aim = gain
    edge = gain
    riseStart = gain
    let half = max(1, (attackSteps + 1) / 2)
    roundingSteps = 2 * half
    risingSteps = max(1, releaseSteps - roundingSteps)
    riseStep = risingSteps
    restSteps = roundingSteps
    first = RunningMean(length: half, of: gain)
    second = RunningMean(length: half, of: gain)
  }

  func deallocate() {
    first.deallocate()
    second.deallocate()
  }

  /// Whether the gain has arrived and stays where it is.
  var isAtRest: Bool {
    @_noLocks @_noAllocation @inline(__always) get { restSteps >= roundingSteps }
  }

  /// Is at `gain` at once.
  @_noLocks @_noAllocation
  mutating func rest(at gain: Int64) {
    self.gain = gain
    aim = gain
    edge = gain
    riseStep = risingSteps
    restSteps = roundingSteps
    first.fill(with: gain)
    second.fill(with: gain)
  }

  /// Sets off for `gain` from wherever it is.
  @_noLocks @_noAllocation
  mutating func head(for gain: Int64) {
    guard gain != aim else { return }
    aim = gain
    restSteps = 0
    // A way down that has only begun is given up where it has got to.
    riseStart = max(edge, min(self.gain, gain))
    if riseStart < gain {
      edge = riseStart
      riseStep = 0
    } else {
      edge = gain
      riseStep = risingSteps
    }
  }

  /// Goes one step.
  @_noLocks @_noAllocation
  mutating func advance() {
    if riseStep < risingSteps {
      riseStep += 1
      edge = riseStart + (aim - riseStart) * Int64(riseStep) / Int64(risingSteps)
    } else {
      restSteps += 1
    }
    gain = second.add(first.add(edge))
  }
}
