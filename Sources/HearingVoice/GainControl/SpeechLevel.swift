/// Estimates the active level of speech from the 10 ms frames that contain voice.
///
/// The estimate is the mean power over the last 3 s of speech. Frames without voice do not count.
/// Frames with a power more than 15.9 dB below the estimate do not count either. ITU-T P.56
/// specifies this margin.
///
/// When a louder or a softer person begins to talk, the mean restarts: after 20 ms of voice more
/// than 12 dB above the estimate, or after 0.7 s of voice more than 15.9 dB below the estimate.
struct SpeechLevel {
  /// The mean square of active speech. The value is 0 before the first frame with voice.
  private(set) var power: Float = 0
  /// The number of frames in the mean since the last restart, 0…300.
  private(set) var frames: Float = 0

  /// The power of speech, smoothed over about 30 ms.
  private var envelope: Float = 0
  private var loudFrames = 0
  private var softFrames = 0
  private var softPower: Float = 0

  /// A frame counts only if the ratio of its power to the estimate is at least this value: −15.9
  /// dB.
  private static let margin: Float = 0.025_7

  /// A frame counts as louder voice if the ratio of its power to the estimate is above this value:
  /// 12 dB.
  private static let jump: Float = 15.85

  /// The maximum number of frames (3 s) in the mean.
  private static let longest: Float = 300

  /// The mean restarts after this number of consecutive frames (0.7 s) below the margin.
  private static let softLimit = 70

  /// Adds the mean square of a frame with voice.
  ///
  /// - Returns: Whether the mean has restarted. Nil if the frame has not changed the estimate.
  mutating func add(_ frame: Float) -> Bool? {
    guard frame > 0 else { return nil }
    envelope += (frame - envelope) * 0.3
    guard frames > 0 else { return restart(at: frame) }
    let current = max(envelope, frame)
    if current > power * Self.jump {
      loudFrames += 1
      softFrames = 0
      // The mean power of a loud vowel is about 3 dB above the mean power of speech.
      return loudFrames < 2 ? nil : restart(at: current * 0.5)
    }
    loudFrames = 0
    if current < power * Self.margin {
      softPower = softFrames == 0 ? frame : softPower + (frame - softPower) / Float(softFrames + 1)
      softFrames += 1
      return softFrames < Self.softLimit ? nil : restart(at: softPower)
    }
    softFrames = 0
    frames = min(frames + 1, Self.longest)
    power += (frame - power) / frames
    return false
  }

  private mutating func restart(at power: Float) -> Bool {
    (self.power, envelope, frames) = (power, power, 4)
    (loudFrames, softFrames) = (0, 0)
    return true
  }
}
