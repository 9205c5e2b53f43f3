internal import HearingDSP
internal import HearingBuffers

/// Fades the uplink out to digital silence while it is muted, and in again afterwards.
struct MuteStage: ~Copyable, RenderStage {
  /// A raised cosine from 0 to 1.
  private let curve: OwnedRow<Float>
  private let length: Int
  /// The position on the curve; 0 is silence.
  private var place: Int
  private var hasBegun = false

  /// Starts with the microphone unmuted; a fade takes 15 ms.
  init(sampleRate: Double) {
    length = Int((0.015 * sampleRate).rounded())
    curve = RaisedCosine.curve(steps: length)
    place = length
  }

  /// Fades the run. The first run of a call starts muted or unmuted, without a fade.
  mutating func process(_ run: inout UplinkRun) {
    let target = run.isMuted ? 0 : length
    if !hasBegun {
      hasBegun = true
      place = target
    }
    let samples = run.samples
    var index = 0
    while index < run.frameCount && place != target {
      place += run.isMuted ? -1 : 1
      samples[index] *= curve[place]
      index += 1
    }
    guard run.isMuted else { return }
    while index < run.frameCount {
      samples[index] = 0
      index += 1
    }
  }

  mutating func reset() { hasBegun = false }
}
