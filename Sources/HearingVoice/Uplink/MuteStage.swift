internal import HearingDSP
internal import HearingBuffers

/// Fades the uplink out to digital silence when the microphone is muted, and fades it in again when
/// the microphone is unmuted.
struct MuteStage: ~Copyable, RenderStage {
  /// The cross-fade from silence to the microphone signal.
  private var fade: SwitchFade
  private var hasBegun = false

  /// Creates a stage whose microphone is unmuted. A fade takes 15 ms.
  init(sampleRate: Double) {
    fade = SwitchFade(length: Int((0.015 * sampleRate).rounded()), isOn: true)
  }

  /// Applies the fade to a run. The first run of a call starts muted or unmuted, without a fade.
  mutating func process(_ run: inout UplinkRun) {
    fade.isOn = !run.isMuted
    if !hasBegun {
      hasBegun = true
      fade.settle()
    }
    // No input samples are stored in the fade, so the fade is from and to silence.
    fade.blend(run.samples, count: run.frameCount)
  }

  mutating func reset() { hasBegun = false }
}
