internal import HearingBuffers

/// A section of the uplink, which is the microphone signal on its way to the other end of a call.
///
/// Such a section is called a run. The processing stages of the uplink process each run one after
/// the other. Each stage stores its results in the properties of the run.
///
/// The uplink is divided into 10 ms frames, from the first sample of the call on. A run never
/// crosses the end of a 10 ms frame.
struct UplinkRun: BitwiseCopyable {
  /// The maximum number of samples in a run: 10 ms at the maximum sample rate of a call, plus four
  /// samples.
  static let capacity = 964

  /// The samples of the microphone signal. Each stage processes these samples in place.
  let samples: Row<Float>

  /// The playback during the run, or nil if the run does not belong to a call. For example, a
  /// ``NoiseSuppressor`` creates runs without playback.
  ///
  /// ``EchoStage`` replaces the playback by delayed playback, which is aligned with the microphone
  /// signal.
  var reference: PlaybackRows?

  /// The number of samples in this run, at least 1 and at most `capacity`.
  let frameCount: Int

  /// Whether the run completes a 10 ms frame.
  var endsFrame = false

  /// Whether the microphone is muted.
  var isMuted = false

  /// Whether the last complete 10 ms frame contained near-end speech, which is speech at the
  /// microphone.
  var isNearVoice = false
  /// Whether somebody talks at the microphone, even if the microphone is muted.
  var isTalking = false

  /// The decision on echo at the start of the run, or nil until ``EchoStage`` has processed the
  /// run.
  ///
  /// If the run completes a 10 ms frame, `echoAfter` is a new decision. Noise suppression divides
  /// the signal into frames of a short-time Fourier transform. If such a frame ends before the end
  /// of the run, noise suppression uses `echoBefore`. Therefore the result does not depend on the
  /// block size.
  var echoBefore: EchoDecision?
  /// The decision on echo at the end of the run, or nil until ``EchoStage`` has processed the run.
  var echoAfter: EchoDecision?

  /// The output of the linear echo canceller, or nil until ``EchoStage`` has processed the run. The
  /// canceller also runs while echo cancellation is switched off. While echo cancellation is
  /// switched off, the echo is removed from `cancelled`, but stays in `samples`.
  var cancelled: Row<Float>?

  /// Whether a voice in the last complete 10 ms frame can be near-end speech. If this property is
  /// false, the voice counts as echo.
  var isNearPossible = true
  /// Whether a voice in the last complete 10 ms frame can be distinguished from a soft echo in
  /// noise. The property is true in two cases. In the first case, the frame is clearly louder than
  /// the noise. In the second case, an echo would be too soft to be audible in the noise.
  var isVoiceAudible = true

  /// The strength with which residual echo is suppressed, 0…1. Residual echo is echo that remains
  /// after the linear canceller.
  var echoSuppression: Float = 0
  /// Whether there may be an echo that has not been detected yet. The property is false if
  /// ``EchoPath/suppression`` is 0, for example with headphones.
  var mayHaveEcho = true

  /// Whether there is an echo path, according to the last complete 10 ms frame.
  var echoPath = EchoReport.Path.absent
}

/// Describes how much of a 10 ms frame is echo. Echo suppression uses this decision.
struct EchoDecision: BitwiseCopyable {
  /// The gains that suppress the residual echo, one value per bin of the spectrum.
  let gains: Row<Float>
  /// The expected power of the residual echo, one value per bin of the spectrum.
  let residual: Row<Float>
  /// Whether there is evidence of an echo path.
  var isEcho = false
}
