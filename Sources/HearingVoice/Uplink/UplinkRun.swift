internal import HearingDSP
internal import HearingBuffers

/// A section of the uplink signal that the stages process one after the other, with its properties.
///
/// A run never crosses the end of a 10 ms frame, counted from the first frame of the call.
struct UplinkRun: BitwiseCopyable {
  /// The microphone's samples, which each stage processes in place.
  let samples: Row<Float>

  /// The playback at the same time, as one channel.
  ///
  /// The echo stage aligns it to the microphone.
  var reference: Row<Float>

  /// Samples in this run, at least 1.
  let frameCount: Int

  /// The position of the first sample in the call.
  let position: Int64

  /// Whether the run completes a 10 ms frame.
  var endsFrame = false

  /// Whether the microphone is muted.
  var isMuted: Bool

  /// Whether a voice was found at the microphone in the last complete 10 ms frame.
  var isNearVoice = false

  /// The decisions on echo at the start and at the end of the run; nil before the echo stage.
  ///
  /// They differ if the run completes a 10 ms frame. A suppression frame that ends before the end
  /// of the run uses `echoBefore`, so that the result does not depend on the block size.
  var echoBefore: EchoDecision?
  var echoAfter: EchoDecision?

  /// The output of the linear canceller. It is computed also while echo cancellation is off and
  /// `samples` still contain the echo; nil before the echo stage.
  var cancelled: Row<Float>?

  /// Whether a voice in the last complete 10 ms frame can be near talk instead of echo.
  var isNearPossible = true

  /// How much of the residual echo's suppression is applied, 0…1.
  var echoSuppression: Float = 0

  /// Whether there is an echo path, as of the last complete 10 ms frame.
  var echoKnowledge = EchoKnowledge.absent

  /// A run without results of the stages.
  init(
    samples: Row<Float>, reference: Row<Float>, frameCount: Int,
    position: Int64, isMuted: Bool
  ) {
    self.samples = samples
    self.reference = reference
    self.frameCount = frameCount
    self.position = position
    self.isMuted = isMuted
  }
}

/// Whether there is an echo path from the loudspeaker to the microphone.
enum EchoKnowledge: BitwiseCopyable {
  /// There has not been enough playback to find one.
  case undecided
  case absent
  case present
}

/// The input of suppression: how much of a frame is echo.
struct EchoDecision: BitwiseCopyable {
  /// The gain of near sound, and the power of the expected echo, `[bin]`.
  let gains: Row<Float>
  let residual: Row<Float>
  /// Whether echo is expected.
  var isEcho = false

  init(gains: Row<Float>, residual: Row<Float>) {
    self.gains = gains
    self.residual = residual
  }
}
