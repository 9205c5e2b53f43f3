/// Estimates the active level of speech (the level without pauses) from the power of 10 ms frames.
///
/// The estimate is the mean power over the last 3 s of speech. Frames that are more than 15.9 dB
/// below the estimate do not count. The margin of 15.9 dB is from ITU-T P.56. Frames without voice
/// do not change the estimate.
///
/// When a louder or a softer person begins to talk, the mean restarts. For a louder person, the
/// mean restarts after 20 ms of voice more than 12 dB above the estimate. For a softer person, the
/// mean restarts after 1.25 s of voice in which all frames are below the estimate. In this case,
/// the mean restarts with the mean power of these frames. The detector may mistake short noises for
/// voice, but there are pauses between such noises. Each pause shortens the counted 1.25 s by the
/// duration of the pause, at most by 0.05 s. Therefore short noises do not restart the mean.
struct SpeechLevel {
  /// The mean square of active speech. The value is 0 before the first frame with voice.
  private(set) var power: Float = 0
  /// The number of frames in the mean, 0…300. After a restart of the mean, the number is 4.
  private(set) var frames: Float = 0

  private var loudFrames = 0
  /// Counts frames with voice whose power is below the estimate. Any other frame with voice resets
  /// the count to 0. A pause reduces the count by at most 5.
  private var softFrames: Float = 0
  /// The mean power of the frames that `softFrames` counts.
  private var softPower: Float = 0
  private var pauseFrames = 0

  /// If the power of a frame divided by the estimate is below this ratio (−15.9 dB), the frame does
  /// not count.
  private static let margin: Float = 0.025_7

  /// If the power of two consecutive frames divided by the estimate is above this ratio (12 dB),
  /// the mean restarts.
  private static let jump: Float = 15.85

  /// The maximum number of frames (3 s) in the mean.
  private static let longest: Float = 300

  /// If `softFrames` reaches this number of frames (1.25 s), the mean restarts.
  private static let softLimit: Float = 125

  /// Adds a frame without voice.
  mutating func addPause() {
    pauseFrames += 1
    if pauseFrames <= 5 { softFrames = max(0, softFrames - 1) }
  }

  /// Adds the mean square of a frame with voice.
  ///
  /// - Returns: Whether the mean restarted. The result is nil if the frame did not change the
  ///   estimate.
  mutating func add(_ frame: Float) -> Bool? {
    guard frame > 0 else { return nil }
    pauseFrames = 0
    guard frames > 0 else { return restart(at: frame) }
    loudFrames = frame > power * Self.jump ? loudFrames + 1 : 0
    softFrames = frame < power ? softFrames + 1 : 0
    // The mean power of a loud vowel is about 3 dB above the mean power of speech. Therefore the
    // mean restarts at half of the power of the frame.
    if loudFrames > 0 { return loudFrames < 2 ? nil : restart(at: frame * 0.5) }
    softPower += (frame - softPower) / max(1, softFrames)
    if softFrames == Self.softLimit { return restart(at: softPower) }
    guard frame >= power * Self.margin else { return nil }
    frames = min(frames + 1, Self.longest)
    power += (frame - power) / frames
    return false
  }

  private mutating func restart(at power: Float) -> Bool {
    (self.power, frames) = (power, 4)
    (loudFrames, softFrames) = (0, 0)
    return true
  }
}
