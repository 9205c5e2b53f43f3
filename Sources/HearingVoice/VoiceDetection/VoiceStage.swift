internal import HearingDSP

/// Detects near-end speech in the microphone signal of a call. The samples pass unchanged.
struct VoiceStage: ~Copyable, RenderStage {
  private var detector: VoiceActivityDetector
  /// Whether somebody talks at the microphone, even if the microphone is muted.
  private(set) var talk = VoiceState()

  /// Whether the last complete 10 ms frame contained near-end speech.
  private var isVoice = false
  /// The voice decision on the last 10 ms frame. If the last call of `process` did not complete a
  /// 10 ms frame, the decision is nil.
  private(set) var decision: NearDecision?

  init(_ detector: consuming VoiceActivityDetector) { self.detector = detector }

  /// Frames at or below this level never count as voice. The level is in dB relative to an RMS of
  /// 1.0.
  private static let levelFloor: Float = -72

  /// The number of samples until the end of the current frame of 10 ms.
  var framesLeft: Int { detector.framesLeft }

  mutating func process(_ run: inout UplinkRun) {
    decision = nil
    if let found = detector.process(run.cancelled ?? run.samples, frameCount: run.frameCount) {
      let hasVoice = found.isVoice && found.level > Self.levelFloor
      isVoice = hasVoice && run.isNearPossible
      decision = NearDecision(
        isVoice: isVoice, isVoiceOrEcho: hasVoice && run.isVoiceAudible, echo: run.echoPath,
        frame: found.frame)
    }
    if let decision { _ = talk.add(decision) }
    (run.isNearVoice, run.isTalking) = (isVoice, talk.isTalking)
  }

  mutating func reset() {
    detector.reset()
    talk.reset()
    (isVoice, decision) = (false, nil)
  }
}

/// The decision on a 10 ms frame of the microphone signal.
struct NearDecision {
  /// Whether somebody talks at the microphone.
  var isVoice: Bool
  /// Whether there is a voice, which may be near-end speech or echo. While an echo may be audible
  /// in noise, a voice counts only if the voice is clearly louder than the noise.
  var isVoiceOrEcho: Bool
  /// Whether there is an echo path. With `present`, only `isVoice` counts as talk. This is also
  /// correct for a signal that cannot contain echo.
  var echo = EchoReport.Path.present
  /// The end of this 10 ms frame, in samples since the last reset.
  var frame: Int64 = 0
}
