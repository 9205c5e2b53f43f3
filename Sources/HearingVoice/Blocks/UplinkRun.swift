internal import HearingBuffers

/// A section of the uplink signal. The stages process the run one after the other, and add their
/// results to the run.
///
/// A run never continues beyond a multiple of 10 ms, counted from the first sample of the call.
struct UplinkRun: BitwiseCopyable {
  /// The capacity in samples: 10 ms at the maximum sample rate of a call, plus four samples.
  static let capacity = 964

  /// The microphone's samples, which each stage processes in place.
  let samples: Row<Float>

  /// The playback during the run, or nil if a stage is used outside a call, for example by
  /// ``NoiseSuppressor``.
  ///
  /// The echo stage delays the reference, so that the reference is aligned with the microphone
  /// signal.
  var reference: PlaybackRows?

  /// The number of samples in this run, at least 1 and at most `capacity`.
  let frameCount: Int

  /// Whether the run completes a 10 ms frame.
  var endsFrame = false

  /// Whether the microphone is muted.
  var isMuted = false

  /// Whether a near voice was detected in the last complete 10 ms frame.
  var isNearVoice = false
  /// Whether somebody talks at the microphone, even if the microphone is muted.
  var isTalking = false
  /// Whether the last complete 10 ms frame contained a voice, either near-end speech or echo. The
  /// voice stage sets this value, so the value is valid only at the end of the run.
  var hasVoice = false
  /// The value of `hasVoice` at the start of the run.
  var hadVoice = false

  /// The decision on echo at the start of the run, or nil until the echo stage has processed the
  /// run.
  ///
  /// If the run completes a 10 ms frame, `echoAfter` is a new decision. For an STFT frame that ends
  /// before the end of the run, the suppression stage uses `echoBefore`. Therefore the result does
  /// not depend on the block size.
  var echoBefore: EchoDecision?
  /// The decision on echo at the end of the run, or nil until the echo stage has processed the run.
  var echoAfter: EchoDecision?

  /// The output of the linear canceller, or nil until the echo stage has processed the run. The
  /// canceller also runs while echo cancellation is off. While echo cancellation is off, `samples`
  /// contain the echo, but `cancelled` does not contain the echo.
  var cancelled: Row<Float>?

  /// Whether a voice in the last complete 10 ms frame can be near-end speech. If near-end speech is
  /// not possible, the voice counts as echo.
  var isNearPossible = true
  /// Whether the last complete 10 ms frame is clearly louder than the noise, or no echo can be
  /// audible in the noise.
  var isVoiceAudible = true

  /// The strength of the suppression of residual echo, 0…1.
  var echoSuppression: Float = 0
  /// Whether there may be an echo that has not been detected yet. With headphones, there is no
  /// echo.
  var mayHaveEcho = true

  /// Whether there is an echo path, according to the last complete 10 ms frame.
  var echoPath = EchoReport.Path.absent
}

/// The input of echo suppression. The decision describes how much of a frame is echo.
struct EchoDecision: BitwiseCopyable {
  /// The gains that suppress the residual echo, one value per bin.
  let gains: Row<Float>
  /// The expected power of the residual echo, one value per bin.
  let residual: Row<Float>
  /// Whether there is evidence of an echo path.
  var isEcho = false
}
