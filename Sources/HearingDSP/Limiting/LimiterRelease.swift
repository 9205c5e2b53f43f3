/// How a limiter lets go: the gain stays for a while, then returns as a one-pole.
///
/// A tone of 50 Hz or more whose peaks stay alike meets the next peak within the hold time, so the
/// gain rests and the tone is not distorted. Peaks of one tone differ by where samples happen to
/// fall; those that nearly reach the ceiling hold the gain as well.
struct LimiterRelease {
  /// Samples for which the gain stays.
  let holdLength: Int32
  /// What remains of 1 − gain from one sample to the next.
  let persistence: Float

  /// Holds for 10 ms at `sampleRate` Hz, returns with a time constant of 60 ms.
  init(sampleRate: Double) {
    holdLength = Int32(0.010 * sampleRate)
    persistence = Float(Elementary.exponential(-1 / (0.060 * sampleRate)))
  }

  /// The share of the ceiling from which on a peak holds the gain: −0.35 dB, as far as samples may
  /// miss the peak of a tone at a twelfth of the sample rate.
  static var near: Float {
    @_noLocks @_noAllocation @inline(__always) get { 0.96 }
  }

  /// 1 − gain below which the gain is 1.
  static var trace: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-6 }
  }
}
