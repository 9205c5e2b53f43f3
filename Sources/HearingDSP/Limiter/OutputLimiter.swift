package import HearingBuffers

/// Holds sound below its ceiling without looking ahead.
///
/// If a sample exceeds the ceiling, the gain falls immediately. It stays constant for the hold time
/// and then recovers as a one-pole. A final clamp removes rounding errors. After full recovery the
/// gain is exactly 1 and samples pass untouched. It works on the ratio of samples to the ceiling,
/// so that channels with different ceilings can share one.
package struct OutputLimiter: BitwiseCopyable {
  /// 1 − gain. In single precision the gain itself would stop changing before it reaches 1.
  private var shortfall: Float = 0
  /// Remaining samples of the hold time.
  private var holding: Int32 = 0
  private let release: LimiterRelease

  /// Statistics of its channel.
  var work = LimiterWork()

  package init(sampleRate: Double, releaseTime: Double = LimiterRelease.standardTime) {
    release = LimiterRelease(sampleRate: sampleRate, time: releaseTime)
  }

  /// Returns to full gain and clears the statistics.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package mutating func reset() {
    recover()
    work = LimiterWork()
  }

  /// Returns to full gain.
  mutating func recover() {
    shortfall = 0
    holding = 0
    work.gain = 1
  }

  /// Whether the gain is below 1.
  var isRecovering: Bool { shortfall > 0 }

  /// Whether samples with the greatest magnitude `peak` would be changed; otherwise they need not be
  /// processed.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package func isNeeded(peak: Float, ceiling: Float) -> Bool {
    shortfall > 0 || peak > ceiling
  }

  /// Advances by a sample that is `ratio` times the ceiling.
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
    if reached > LimiterRelease.holdThreshold { holding = release.holdLength }
  }

  /// Advances by four samples if none of them demands a lower gain or restarts the hold time. The
  /// results are the same as for single samples.
  ///
  /// - Parameter gains: the four gains.
  /// - Returns: false if a sample may do so; in that case nothing has changed.
  @inline(__always)
  private mutating func coast(over ratios: Float4, _ gains: inout Float4) -> Bool {
    var next = Float4(repeating: shortfall)
    if holding == 0 && shortfall > 0 {
      let first = shortfall * release.persistence
      let second = first * release.persistence
      let third = second * release.persistence
      next = Float4(first, second, third, third * release.persistence)
    } else if holding > 0 && holding < 4 {
      return false
    }
    let end = next[3]
    guard end >= LimiterRelease.trace || shortfall == 0 else { return false }
    let maximum = ratios.largest
    // The gain does not fall within the four samples.
    guard maximum <= 1 || maximum * (1 - end) <= LimiterRelease.holdThreshold else {
      return false
    }
    gains = 1 - next
    shortfall = end
    if holding > 0 { holding -= 4 }
    return true
  }

  /// Limits `count` samples of one channel in place and updates ``work``.
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
        if state.coast(over: four.magnitude * inverse, &gains) {
          samples.setFloat4(LevelRatio.clamped(four * gains, ceiling), at: index)
          state.work.record(rising: gains)
          index &+= 4
          continue
        }
      }
      let sample = samples[index]
      state.follow(abs(sample) * inverse)
      if state.shortfall > 0 {
        let gain = 1 - state.shortfall
        samples[index] = LevelRatio.clamped(sample * gain, ceiling)
        if gain < LimiterWork.audibleGain { state.work.limitedFrames &+= 1 }
        if gain < state.work.smallestGain { state.work.smallestGain = gain }
      } else {
        samples[index] = LevelRatio.clamped(sample, ceiling)
      }
      index += 1
    }
    state.work.gain = 1 - state.shortfall
    self = state
  }

  /// Turns ratios to the ceiling into gains, in place; does not update ``work``.
  mutating func follow(_ ratios: Row<Float>, count: Int) {
    var state = self
    var gains = Float4(repeating: 1)
    var index = 0
    while index < count {
      if index &+ 4 <= count && state.coast(over: ratios.float4(at: index), &gains) {
        ratios.setFloat4(gains, at: index)
        index &+= 4
        continue
      }
      state.follow(ratios[index])
      ratios[index] = 1 - state.shortfall
      index += 1
    }
    self = state
  }
}

/// The release of a limiter: a hold time, then a one-pole.
///
/// A steady tone from 50 Hz up has its next peak within the hold time, so the gain is constant and
/// the tone is not distorted. The sampled peaks of one tone differ slightly, so peaks that nearly
/// reach the ceiling also hold the gain.
package struct LimiterRelease: BitwiseCopyable {
  /// The hold time in samples.
  let holdLength: Int32
  /// The factor of 1 − gain from one sample to the next.
  let persistence: Float

  /// Holds for 10 ms at `sampleRate` Hz, returns with a time constant of `time` seconds.
  init(sampleRate: Double, time: Double = standardTime) {
    holdLength = Int32(0.010 * sampleRate)
    persistence = Float(CMath.exponential(-1 / (time * sampleRate)))
  }

  /// The default time constant in seconds.
  package static var standardTime: Double { 0.060 }

  /// A peak above this share of the ceiling holds the gain: −0.35 dB, the greatest error of a
  /// sampled peak of a tone at a twelfth of the sample rate.
  static let holdThreshold: Float = 0.96

  /// The value of 1 − gain below which the gain returns to exactly 1.
  static let trace: Float = 1e-6
}

/// Statistics of the limiting of one channel.
struct LimiterWork {
  /// The gain in force.
  var gain: Float = 1
  /// The smallest gain since the last reset.
  var smallestGain: Float = 1
  /// Samples with more than 0.5 dB of gain reduction since the last reset.
  var limitedFrames: UInt64 = 0

  /// −0.5 dB: less gain reduction is not audible.
  static let audibleGain: Float = 0.944_060_9

  /// Adds four gains that do not fall, the first of them not below the gain before.
  mutating func record(rising gains: Float4) {
    if gains[0] >= Self.audibleGain { return }
    if gains[3] < Self.audibleGain {
      limitedFrames &+= 4
    } else {
      for lane in 0..<3 where gains[lane] < Self.audibleGain { limitedFrames &+= 1 }
    }
  }

  /// Adds the gains of a run of samples to the statistics.
  mutating func record(_ gains: Row<Float>, count: Int) {
    var index = 0
    while index < count {
      if gains[index] < Self.audibleGain { limitedFrames &+= 1 }
      if gains[index] < smallestGain { smallestGain = gains[index] }
      index += 1
    }
    if count > 0 { gain = gains[count - 1] }
  }
}
