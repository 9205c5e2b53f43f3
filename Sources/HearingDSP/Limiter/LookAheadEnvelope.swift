internal import HearingBuffers

/// The gain of a limiter with look-ahead. The gain falls smoothly before a peak leaves the delay
/// line.
///
/// Each sample above the ceiling needs a certain gain reduction (1 − gain). The envelope keeps this
/// gain reduction while the sample is in the delay line, and then for a hold time of 10 ms. After
/// the hold time, a one-pole filter reduces the gain reduction to 0. A moving average with the
/// length of the delay smooths the gain reduction. When a sample leaves the delay line, every
/// number in the moving average is at least the gain reduction for this sample. Therefore the mean
/// is also at least the gain reduction for this sample. At the end of the release, the gain is
/// exactly 1.
struct LookAheadEnvelope: ~Copyable {
  private var demands: SlidingMaximum
  private var average: SmoothingWindow
  private let release: LimiterRelease
  /// The gain reduction (1 − gain) before the moving average.
  private var held: Float = 0
  private var demanded: Float = 0

  /// Creates an envelope for a signal that is delayed by `latency` frames, at least 1.
  init(
    latency: Int, sampleRate: Double, releaseTime: Double = LimiterRelease.standardTime
  ) {
    release = LimiterRelease(sampleRate: sampleRate, time: releaseTime)
    demands = SlidingMaximum(length: latency + 1 + Int(release.holdLength))
    average = SmoothingWindow(length: latency + 1)
  }

  /// Sets the gain to 1.
  mutating func clear() {
    demands.clear()
    average.clear()
    held = 0
    demanded = 0
  }

  /// Replaces each ratio in `ratios` by a gain. A ratio is a sample magnitude divided by the
  /// ceiling.
  ///
  /// - Parameter isLoud: whether any ratio exceeds 1.
  /// - Returns: whether any gain is below 1. If no gain is below 1, the function does not change
  ///   `ratios`.
  mutating func follow(_ ratios: Row<Float>, count: Int, isLoud: Bool) -> Bool {
    // If all gain reductions have returned to 0, samples below the ceiling need no processing.
    if held == 0 && demanded == 0 && average.isEmpty && !isLoud { return false }
    var state = consume self
    var index = 0
    while index < count {
      let ratio = ratios[index]
      let demand = state.demands.add(ratio > 1 ? min(1, Self.margin - 1 / ratio) : 0)
      state.demanded = demand
      if demand >= state.held {
        state.held = demand
      } else if demand == 0 || 1 - state.held <= LimiterRelease.holdThreshold * (1 - demand) {
        let released = state.held * state.release.persistence
        state.held = max(demand, released < LimiterRelease.completionThreshold ? 0 : released)
      }
      ratios[index] = Float(1 - state.average.add(state.held))
      index += 1
    }
    self = state
    return true
  }

  /// The number 1 plus a small margin. Without the margin, a sample could exceed the ceiling
  /// because of rounding errors. The margin makes each gain reduction slightly greater.
  private static let margin: Float = 1 + 1e-6
}
