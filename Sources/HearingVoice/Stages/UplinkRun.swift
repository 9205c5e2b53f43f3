internal import HearingDSP
internal import HearingBuffers

/// A section of the uplink signal that the stages process one after the other, with its properties.
///
/// A run never crosses the end of a 10 ms frame, counted from the first frame of the call.
struct UplinkRun: BitwiseCopyable {
  /// The microphone's samples, which each stage processes in place.
  let samples: Row<Float>

  /// What the loudspeaker plays at the same time, as one channel.
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

  /// The estimate of the echo that was removed, sample by sample; nil before the echo stage.
  var echo: Row<Float>?

  /// The mean square of the echo that remains because the echo path is known only approximately.
  var expectedEchoError: Float = 0

  /// The samples before the echo stage; nil before that stage.
  var microphone: Row<Float>?

  /// The mean square of the echo that may still be in `samples`: an upper bound.
  var residualEchoPower: Float = 0

  /// A run about which nothing is known yet.
  init(
    samples: Row<Float>, reference: Row<Float>, frameCount: Int,
    position: Int64, isMuted: Bool
  ) {
    self.samples = samples
    self.reference = reference
    self.frameCount = frameCount
    self.position = position
    self.isMuted = isMuted
    echo = nil
    microphone = nil
  }
}
