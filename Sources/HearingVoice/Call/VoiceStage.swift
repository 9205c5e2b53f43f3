internal import HearingDSP

/// Detects the near voice in the uplink; the samples pass unchanged.
struct VoiceStage: ~Copyable, RenderStage {
  private var detector: VoiceActivityDetector
  private var gate: EchoGate

  /// Whether the last complete 10 ms were voice.
  private var isVoice = false
  /// The decision on the 10 ms that the last run completed; nil if it completed none.
  private(set) var decision: (isVoice: Bool, frame: Int64)?

  init(_ detector: consuming VoiceActivityDetector, sampleRate: Double) {
    self.detector = detector
    gate = EchoGate(sampleRate: sampleRate)
  }

  /// Quieter frames never count as voice; in dB relative to an RMS of 1.0.
  private static let levelFloor: Float = -72

  /// The position of the end of the current 10 ms.
  var frameEnd: Int64 { detector.frameEnd }

  mutating func process(_ run: inout UplinkRun) {
    gate.add(run.reference, count: run.frameCount)
    decision = nil
    if let found = detector.process(run.samples, frameCount: run.frameCount) {
      isVoice =
        found.isVoice && found.level > Self.levelFloor
        && gate.isAboveEcho(level: found.level, residualEchoPower: run.residualEchoPower)
      decision = (isVoice, found.frame)
      gate.finishFrame()
    }
    run.isNearVoice = isVoice
  }

  mutating func reset() {
    detector.reset()
    gate.reset()
    isVoice = false
    decision = nil
  }
}
