/// Holds one channel below its ceiling without looking ahead.
///
/// The gain falls at once as far as a sample demands, stays for the hold time and returns as a
/// one-pole; a last clamp takes care of rounding. After full recovery the gain is exactly 1 and
/// samples pass untouched.
struct OutputLimiter {
  /// 1 − the gain in force; kept in this form because near 1 a gain in single precision would stop
  /// moving.
  private var shortfall: Float = 0
  /// The smallest gain since the last reset.
  var smallestGain: Float = 1
  /// Samples that came out smaller than they went in, since the last reset.
  var limitedFrames: UInt64 = 0
  /// Samples for which the gain still holds.
  private var holding: Int32 = 0

  private let holdLength: Int32
  /// What remains of the shortfall from one sample to the next.
  private let persistence: Float

  /// A limiter for `sampleRate` Hz, holding for 5 ms and recovering with a time constant of 60 ms.
  init(sampleRate: Double) {
    holdLength = Int32(0.005 * sampleRate)
    persistence = Float(Elementary.exponential(-1 / (0.06 * sampleRate)))
  }

  /// Returns to full gain and forgets what was counted.
  @_noLocks @_noAllocation @inline(__always)
  mutating func reset() {
    recover()
    smallestGain = 1
    limitedFrames = 0
  }

  /// The gain in force.
  var gain: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1 - shortfall }
  }

  /// Returns to full gain.
  @_noLocks @_noAllocation @inline(__always)
  mutating func recover() {
    shortfall = 0
    holding = 0
  }

  /// Whether samples of which the greatest magnitude is `peak` would be changed; if not, they need
  /// not be shown.
  @_noLocks @_noAllocation @inline(__always)
  func isNeeded(peak: Float, ceiling: Float) -> Bool {
    shortfall > 0 || peak > ceiling
  }

  /// Limits `count` samples in place.
  @_noLocks @_noAllocation
  static func process(
    _ limiter: UnsafeMutablePointer<OutputLimiter>, _ samples: UnsafeMutablePointer<Float>,
    count: Int, ceiling: Float
  ) {
    var state = limiter.pointee
    var index = 0
    while index < count {
      let sample = samples[index]
      if state.holding > 0 {
        state.holding -= 1
      } else if state.shortfall > 0 {
        state.shortfall *= state.persistence
        if state.shortfall < 1e-6 { state.shortfall = 0 }
      }
      let magnitude = abs(sample)
      if magnitude * state.gain > ceiling {
        state.shortfall = 1 - ceiling / magnitude
        state.holding = state.holdLength
      }
      if state.shortfall > 0 {
        state.limitedFrames &+= 1
        samples[index] = max(-ceiling, min(ceiling, sample * state.gain))
        if state.gain < state.smallestGain { state.smallestGain = state.gain }
      }
      index += 1
    }
    limiter.pointee = state
  }
}
