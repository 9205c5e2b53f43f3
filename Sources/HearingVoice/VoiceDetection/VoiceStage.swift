internal import HearingDSP

/// Detects the near voice in the uplink; the samples pass unchanged.
struct VoiceStage: ~Copyable, RenderStage {
  private var detector: VoiceActivityDetector

  /// Whether the last complete 10 ms were voice.
  private var isVoice = false
  /// The decision on the 10 ms that the last run completed; nil if it completed none.
  private(set) var decision: NearDecision?

  init(_ detector: consuming VoiceActivityDetector) {
    self.detector = detector
  }

  /// Quieter frames never count as voice; in dB relative to an RMS of 1.0.
  private static let levelFloor: Float = -72

  /// The number of frames until the end of the current 10 ms.
  var framesLeft: Int { detector.framesLeft }

  mutating func process(_ run: inout UplinkRun) {
    decision = nil
    if let found = detector.process(run.cancelled ?? run.samples, frameCount: run.frameCount) {
      let isVoiceOrEcho = found.isVoice && found.level > Self.levelFloor
      isVoice = isVoiceOrEcho && run.isNearPossible
      decision = NearDecision(
        isVoice: isVoice, isVoiceOrEcho: isVoiceOrEcho, echo: run.echoKnowledge,
        frame: found.frame)
    }
    run.isNearVoice = isVoice
  }

  mutating func reset() {
    detector.reset()
    isVoice = false
    decision = nil
  }
}

/// The decision on 10 ms of the microphone.
struct NearDecision {
  /// Whether somebody talks at the microphone.
  var isVoice: Bool
  /// Whether there is a voice that may also be echo.
  var isVoiceOrEcho: Bool
  var echo: EchoKnowledge
  /// The position of the end of these 10 ms.
  var frame: Int64
}

extension NearDecision {
  /// A decision that cannot be about echo.
  init(isVoice: Bool, frame: Int64 = 0) {
    self.init(isVoice: isVoice, isVoiceOrEcho: isVoice, echo: .present, frame: frame)
  }
}
