internal import HearingDSP
internal import HearingBuffers

/// Fades the microphone signal out to digital silence when the microphone is muted. Fades the
/// signal in when the microphone is unmuted.
struct MuteStage: ~Copyable, RenderStage {
  /// The cross-fade from silence to the microphone signal.
  private var fade: CrossFade
  private let curve: OwnedRow<Float>
  private var hasBegun = false

  /// Creates a stage. Initially, the microphone is not muted. A fade lasts 15 ms.
  init(sampleRate: Double) {
    fade = CrossFade(length: Int((0.015 * sampleRate).rounded()), isOn: true)
    curve = fade.raisedCosine
  }

  /// Applies the fade to one section of the signal. If the microphone is already muted in the first
  /// section of a call, this section is silent, without a fade.
  mutating func process(_ run: inout UplinkRun) {
    fade.isOn = !run.isMuted
    if !hasBegun { fade.settle(isOn: fade.isOn) }
    hasBegun = true
    let samples = run.samples
    var index = 0
    while index < run.frameCount && fade.remaining != nil {
      fade.advance()
      samples[index] *= curve[fade.position]
      index += 1
    }
    guard run.isMuted else { return }
    for index in index..<run.frameCount { samples[index] = 0 }
  }

  mutating func reset() { hasBegun = false }
}
