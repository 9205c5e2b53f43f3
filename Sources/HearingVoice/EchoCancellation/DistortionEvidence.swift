/// Decides whether the echo comes from a loudspeaker that distorts strongly.
///
/// A linear filter can estimate only a small part of a strongly distorted echo. Therefore the
/// microphone signal is much louder than the echo estimate. Loud near-end speech also makes the
/// microphone signal much louder than the echo estimate. A strongly distorted echo follows the
/// pattern of the playback for seconds, but near-end speech does not.
struct DistortionEvidence {
  /// The evidence that the loudspeaker distorts strongly, 0…1.
  private(set) var value: Float = 0

  /// The mean resemblance of the canceller's output to the expected echo, over up to 1.5 s of
  /// playback. A frame counts only if the microphone signal is much louder than the echo estimate.
  private var resemblance: Float = 0
  /// The number of frames in the mean `resemblance`. The mean starts with
  /// `EchoTuning.distortedStart` frames with the resemblance 0.
  private var frames: Float
  private let tuning = EchoTuning()

  init() { frames = tuning.distortedStart }

  /// Adds a frame in which there is playback.
  ///
  /// - Parameters:
  ///   - resemblance: How much the canceller's output resembles the expected echo
  ///     (``PatternCorrelation/resemblance``).
  ///   - dominance: The ratio of the microphone's power to the echo estimate's power.
  mutating func add(resemblance: Float, dominance: Float) {
    guard dominance > tuning.distortedDominance else { return }
    frames = min(frames + 1, tuning.distortedFrames)
    self.resemblance += (resemblance - self.resemblance) / frames
    value = self.resemblance.position(from: tuning.distortedFrom, range: tuning.distortedRange)
  }
}
