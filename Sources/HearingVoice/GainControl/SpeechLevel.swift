/// Estimates the active level of speech from the frames of 10 ms that are voice.
///
/// The estimate is the mean power over the last 3 s of speech. Frames more than 15.9 dB below the
/// estimate, the margin of ITU-T P.56, do not count. The mean is restarted in two cases, so that it
/// follows another talker: for a louder talker after 20 ms of voice 12 dB above the estimate, for a
/// softer one after 0.7 s of voice below the margin. Frames without voice change nothing.
struct SpeechLevel {
  /// The mean square of active speech; 0 before the first.
  private(set) var power: Float = 0
  /// Frames in the mean since the last restart, 0…300.
  private(set) var frames: Float = 0

  /// The power of speech, smoothed over about 30 ms.
  private var envelope: Float = 0
  private var loudFrames = 0
  private var softFrames = 0
  private var softPower: Float = 0

  /// The effect of a frame on the estimate.
  enum Change {
    /// A frame below the margin, which had no effect.
    case none
    /// The mean moved.
    case moved
    /// The mean started again, at a higher or lower power.
    case restarted
  }

  init() {}

  /// −15.9 dB.
  private static let margin: Float = 0.025_7

  /// 12 dB.
  private static let jump: Float = 15.85

  private static let longest: Float = 300

  private static let softLimit = 70

  /// Adds the mean square of a frame that is voice.
  mutating func add(_ frame: Float) -> Change {
    guard frame > 0 else { return .none }
    envelope += (frame - envelope) * 0.3
    guard frames > 0 else { return restart(at: frame) }
    let current = max(envelope, frame)
    if current > power * Self.jump {
      loudFrames += 1
      softFrames = 0
      // The mean of a loud vowel is about 3 dB above that of speech.
      return loudFrames < 2 ? .none : restart(at: current * 0.5)
    }
    loudFrames = 0
    if current < power * Self.margin {
      softPower = softFrames == 0 ? frame : softPower + (frame - softPower) / Float(softFrames + 1)
      softFrames += 1
      return softFrames < Self.softLimit ? .none : restart(at: softPower)
    }
    softFrames = 0
    frames = min(frames + 1, Self.longest)
    power += (frame - power) / frames
    return .moved
  }

  private mutating func restart(at power: Float) -> Change {
    self.power = power
    envelope = power
    frames = 4
    loudFrames = 0
    softFrames = 0
    return .restarted
  }
}
