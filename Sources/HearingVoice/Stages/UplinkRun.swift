/// A section of the uplink signal that the stages process one after the other, with its properties.
///
/// A run never crosses the end of a 10 ms frame, counted from the first frame of the call.
struct UplinkRun: BitwiseCopyable {
  /// The microphone's samples, which each stage processes in place.
  let samples: UnsafeMutablePointer<Float>

  /// The playback at the same time, as one channel.
  let reference: UnsafePointer<Float>

  /// Samples in this run, at least 1.
  let frameCount: Int

  /// The position of the first sample in the call.
  let position: Int64

  /// Whether the microphone is muted.
  var isMuted: Bool

  /// Whether a voice was found at the microphone in the last complete 10 ms frame.
  var isNearVoice = false

  /// The mean square of the echo that may still be in `samples`: an upper bound.
  var residualEchoPower: Float = 0
}
