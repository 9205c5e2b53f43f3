/// Holds sound below its ceiling without looking ahead.
///
/// The gain falls at once as far as a sample demands, stays for the hold time and returns as a
/// one-pole; a last clamp takes care of rounding. After full recovery the gain is exactly 1 and
/// samples pass untouched. It knows samples by their ratio to the ceiling, so that channels with
/// different ceilings can share one.
package struct OutputLimiter: BitwiseCopyable {
  /// 1 − the gain in force; kept in this form because near 1 a gain in single precision would stop
  /// moving.
  private var shortfall: Float = 0
  /// Samples for which the gain still holds.
  private var holding: Int32 = 0
  private let release: LimiterRelease

  /// What it has done to the channel that it belongs to.
  var work = LimiterWork()

  package init(sampleRate: Double) {
    release = LimiterRelease(sampleRate: sampleRate)
  }

  /// Returns to full gain and forgets what was counted.
  @_noLocks @_noAllocation @inline(__always)
  package mutating func reset() {
    recover()
    work = LimiterWork()
  }

  /// Returns to full gain.
  @_noLocks @_noAllocation @inline(__always)
  mutating func recover() {
    shortfall = 0
    holding = 0
    work.gain = 1
  }

  /// Whether the gain is below 1.
  var isRecovering: Bool {
    @_noLocks @_noAllocation @inline(__always) get { shortfall > 0 }
  }

  /// Whether samples of which the greatest magnitude is `peak` would be changed; if not, they need
  /// not be shown.
  @_noLocks @_noAllocation @inline(__always)
  package func isNeeded(peak: Float, ceiling: Float) -> Bool {
    shortfall > 0 || peak > ceiling
  }

  /// Moves on by a sample that is `ratio` times the ceiling.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func follow(_ ratio: Float) {
    if holding > 0 {
      holding -= 1
    } else if shortfall > 0 {
      shortfall *= release.persistence
      if shortfall < LimiterRelease.trace { shortfall = 0 }
    }
    guard ratio > 1 else { return }
    let reached = ratio * (1 - shortfall)
    if reached > 1 { shortfall = 1 - 1 / ratio }
    if reached > LimiterRelease.near { holding = release.holdLength }
  }

  /// Limits `count` samples of one channel in place, and counts.
  @_noLocks @_noAllocation
  package static func process(
    _ limiter: UnsafeMutablePointer<OutputLimiter>, _ samples: UnsafeMutablePointer<Float>,
    count: Int, ceiling: Float
  ) {
    var state = limiter.pointee
    let inverse = LevelRatio.inverse(of: ceiling)
    var index = 0
    while index < count {
      let sample = samples[index]
      state.follow(abs(sample) * inverse)
      if state.shortfall > 0 {
        let gain = 1 - state.shortfall
        samples[index] = LevelRatio.clamped(sample * gain, ceiling)
        state.work.limitedFrames &+= 1
        if gain < state.work.smallestGain { state.work.smallestGain = gain }
      } else {
        samples[index] = LevelRatio.clamped(sample, ceiling)
      }
      index += 1
    }
    state.work.gain = 1 - state.shortfall
    limiter.pointee = state
  }

  /// Turns ratios to the ceiling into gains, in place; counts nothing.
  @_noLocks @_noAllocation
  static func follow(
    _ limiter: UnsafeMutablePointer<OutputLimiter>, _ ratios: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    var state = limiter.pointee
    var index = 0
    while index < count {
      state.follow(ratios[index])
      ratios[index] = 1 - state.shortfall
      index += 1
    }
    limiter.pointee = state
  }
}
