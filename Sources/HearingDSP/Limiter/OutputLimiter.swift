package import HearingBuffers

/// Limits samples to a ceiling without look-ahead.
///
/// If a sample exceeds the ceiling, the gain falls immediately. The gain stays constant for a hold
/// time of 10 ms, and then returns to 1 exponentially. Rounding errors can raise an attenuated
/// sample slightly above the ceiling. Therefore the attenuated samples are clamped to the ceiling.
/// When the gain has returned to exactly 1, samples pass unchanged. The gain depends only on the
/// ratio of samples to the ceiling. Therefore channels with different ceilings can use one limiter.
package struct OutputLimiter: BitwiseCopyable {
  /// The gain reduction: 1 − gain. A gain that rises exponentially in single precision would never
  /// reach 1. Therefore the limiter stores the gain reduction instead of the gain.
  private var reduction: Float = 0
  /// The remaining hold time in samples.
  private var remainingHold: Int32 = 0
  private let release: LimiterRelease

  /// The gain statistics of the channel that this limiter processes.
  var statistics = LimiterStatistics()

  package init(sampleRate: Double, releaseTime: Double = LimiterRelease.standardTime) {
    release = LimiterRelease(sampleRate: sampleRate, time: releaseTime)
  }

  /// Sets the gain to 1 and clears the statistics.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package mutating func reset() {
    recover()
    statistics = LimiterStatistics()
  }

  /// Sets the gain. A gain below 1 begins to rise immediately, without a hold time.
  mutating func recover(from gain: Float = 1) {
    reduction = 1 - gain
    remainingHold = 0
    statistics.gain = gain
  }

  /// Whether the gain is below 1.
  var isRecovering: Bool { reduction > 0 }

  /// Whether the limiter would change samples with the peak magnitude `peak`. If the result is
  /// false, the caller need not process the samples.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package func isNeeded(peak: Float, ceiling: Float) -> Bool {
    reduction > 0 || peak > ceiling
  }

  /// Updates the gain for one sample. `ratio` is the magnitude of the sample divided by the
  /// ceiling.
  private mutating func follow(_ ratio: Float) {
    if remainingHold > 0 {
      remainingHold -= 1
    } else if reduction > 0 {
      reduction *= release.persistence
      if reduction < LimiterRelease.completionThreshold { reduction = 0 }
    }
    guard ratio > 1 else { return }
    let reached = ratio * (1 - reduction)
    if reached > 1 { reduction = 1 - 1 / ratio }
    if reached > LimiterRelease.holdThreshold { remainingHold = release.holdLength }
  }

  /// Tries to update the gain for four samples at once. The result is the same as for four separate
  /// updates.
  ///
  /// The gain is not updated if one of the samples needs a lower gain or restarts the hold time.
  /// The gain is also not updated if the hold time or the recovery ends within the four samples.
  ///
  /// - Parameter gains: the four gains.
  /// - Returns: true if the gain has been updated. If the result is false, the state has not
  ///   changed, and the samples must be processed one by one.
  @inline(__always)
  private mutating func advance(over ratios: Float4, _ gains: inout Float4) -> Bool {
    var next = Float4(repeating: reduction)
    if remainingHold == 0 && reduction > 0 {
      let first = reduction * release.persistence
      let second = first * release.persistence
      let third = second * release.persistence
      next = Float4(first, second, third, third * release.persistence)
    } else if remainingHold > 0 && remainingHold < 4 {
      return false
    }
    let end = next[3]
    guard end >= LimiterRelease.completionThreshold || reduction == 0 else { return false }
    let maximum = ratios.largest
    // The four samples can be processed at once only if no sample lowers the gain or restarts the
    // hold time.
    guard maximum <= 1 || maximum * (1 - end) <= LimiterRelease.holdThreshold else {
      return false
    }
    gains = 1 - next
    reduction = end
    if remainingHold > 0 { remainingHold -= 4 }
    return true
  }

  /// Limits `count` samples of one channel in place and updates ``statistics``.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package mutating func process(_ samples: Row<Float>, count: Int, ceiling: Float) {
    var state = self
    let inverse = LevelRatio.inverse(of: ceiling)
    var gains = Float4(repeating: 1)
    var index = 0
    while index < count {
      if index &+ 4 <= count {
        let four = samples.float4(at: index)
        if state.advance(over: four.magnitude * inverse, &gains) {
          samples.setFloat4(LevelRatio.clamped(four * gains, ceiling), at: index)
          state.statistics.record(rising: gains)
          index &+= 4
          continue
        }
      }
      let sample = samples[index]
      state.follow(abs(sample) * inverse)
      let gain = 1 - state.reduction
      samples[index] = LevelRatio.clamped(sample * gain, ceiling)
      if gain < LimiterStatistics.audibleGain { state.statistics.limitedFrames &+= 1 }
      if gain < state.statistics.minimumGain { state.statistics.minimumGain = gain }
      index += 1
    }
    state.statistics.gain = 1 - state.reduction
    self = state
  }

  /// Replaces each ratio in `ratios` by a gain. A ratio is a sample magnitude divided by the
  /// ceiling. Does not update ``statistics``.
  mutating func follow(_ ratios: Row<Float>, count: Int) {
    var state = self
    var gains = Float4(repeating: 1)
    var index = 0
    while index < count {
      if index &+ 4 <= count && state.advance(over: ratios.float4(at: index), &gains) {
        ratios.setFloat4(gains, at: index)
        index &+= 4
        continue
      }
      state.follow(ratios[index])
      ratios[index] = 1 - state.reduction
      index += 1
    }
    self = state
  }
}

/// The release of a limiter: a hold time, then an exponential recovery.
///
/// For a steady tone of 50 Hz or more, the time between two peaks is at most the hold time.
/// Therefore the gain is constant during the tone, and the tone is not distorted. The peak
/// samples of the periods of a tone differ slightly. Therefore peaks that almost reach the ceiling
/// also restart the hold time.
package struct LimiterRelease: BitwiseCopyable {
  /// The hold time in samples.
  let holdLength: Int32
  /// After the hold time, the gain reduction is multiplied by this factor at each sample.
  let persistence: Float

  /// Creates a release with a hold time of 10 ms at `sampleRate` Hz and a time constant of `time`
  /// seconds.
  init(sampleRate: Double, time: Double = standardTime) {
    holdLength = Int32(0.010 * sampleRate)
    persistence = Float(CMath.exponential(-1 / (time * sampleRate)))
  }

  /// The default time constant in seconds.
  package static let standardTime = 0.060

  /// A peak above this fraction of the ceiling (−0.35 dB) restarts the hold time. If the
  /// frequency of a tone is below a twelfth of the sample rate, the peak samples of its periods
  /// differ by up to 0.31 dB. Therefore every period of such a tone restarts the hold time.
  static let holdThreshold: Float = 0.96

  /// If the gain reduction falls below 10⁻⁶, the gain is set to exactly 1.
  static let completionThreshold: Float = 1e-6
}

/// The limiting statistics of one channel.
struct LimiterStatistics {
  /// The current gain.
  var gain: Float = 1
  /// The minimum gain since the last reset.
  var minimumGain: Float = 1
  /// The number of samples since the last reset with a gain reduction of more than 0.5 dB.
  var limitedFrames: UInt64 = 0

  /// A gain of −0.5 dB as an amplitude ratio. A gain reduction of less than 0.5 dB is not audible.
  static let audibleGain: Float = 0.944_060_9

  /// Adds four gains to the statistics. The gains must be in ascending order. Equal gains are
  /// allowed.
  mutating func record(rising gains: Float4) {
    if gains[0] >= Self.audibleGain { return }
    if gains[3] < Self.audibleGain {
      limitedFrames &+= 4
    } else {
      for lane in 0..<3 where gains[lane] < Self.audibleGain { limitedFrames &+= 1 }
    }
  }

  /// Adds the statistics `other` of the same channel. The current gain becomes the lower of the two
  /// current gains.
  mutating func add(_ other: LimiterStatistics) {
    gain = min(gain, other.gain)
    minimumGain = min(minimumGain, other.minimumGain)
    limitedFrames &+= other.limitedFrames
  }

  /// Adds the gains of `count` consecutive samples to the statistics.
  mutating func record(_ gains: Row<Float>, count: Int) {
    for index in 0..<count {
      if gains[index] < Self.audibleGain { limitedFrames &+= 1 }
      if gains[index] < minimumGain { minimumGain = gains[index] }
    }
    if count > 0 { gain = gains[count - 1] }
  }
}
