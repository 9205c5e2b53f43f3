internal import HearingDSP
internal import HearingBuffers

/// Decides whether the microphone is clearly louder than the residual echo in it.
///
/// The canceller's estimate of the residual echo is limited to the echo that playback can cause.
struct EchoGate {
  /// The share of a 10 ms frame in a second, for the mean square of a frame.
  private let scale: Float
  /// The energy of playback in the current 10 ms.
  private var energy: Float = 0
  /// The envelope of the playback power, which decays like reverberation in a room.
  private var envelope: Float = 0

  init(sampleRate: Double) {
    scale = Float(100 / sampleRate)
  }

  /// Adds playback. Squares are summed in order, so the sum does not depend on the block size.
  mutating func add(_ playback: Row<Float>, count: Int) {
    for index in 0..<count { energy += playback[index] * playback[index] }
  }

  /// Whether a frame of this level in dB stands out from the echo.
  func isAboveEcho(level: Float, residualEchoPower: Float) -> Bool {
    let power = Float4(repeating: level / Self.decibelsPerOctaveOfPower).powerOfTwo[0]
    let greatest = max(energy * scale, envelope) * Self.greatestEchoGain
    return power > min(residualEchoPower, greatest) * Self.margin
  }

  /// Ends the current 10 ms.
  mutating func finishFrame() {
    let next = max(energy * scale, envelope * Self.decay)
    envelope = next < 1e-20 ? 0 : next
    energy = 0
  }

  mutating func reset() {
    energy = 0
    envelope = 0
  }

  /// The greatest power gain from loudspeaker to microphone: 30 dB.
  private static let greatestEchoGain: Float = 1_000

  /// The decay of power in 10 ms for a reverberation time of 0.6 s: −1 dB.
  private static let decay: Float = 0.794

  /// How far a voice must be above the residual echo: 6 dB.
  private static let margin: Float = 4

  /// 10 · log10(2).
  private static let decibelsPerOctaveOfPower: Float = 3.010_299_96
}
