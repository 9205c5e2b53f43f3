/// The power gain from the loudspeakers to the microphone, measured in the first 0.1 s of sound.
///
/// If somebody talks when the playback begins, the ratio of the levels does not show the gain,
/// because the first samples of the playback are much softer than the talk. Therefore the ratio
/// counts only if the microphone signal has become clearly louder. Otherwise the gain is limited
/// to 1.
struct LoudspeakerGain {
  /// The number of blocks with playback so far.
  private var blocks = 0
  /// The energy of the microphone signal in these blocks.
  private var microphone: Float = 0
  /// The energy of the reference in these blocks.
  private var reference: Float = 0
  /// The mean energy of the microphone signal in a block before the first sound.
  private var before: Float = 0

  /// The microphone signal has become clearly louder if its energy exceeds this multiple of
  /// `before`.
  private static let minimumRise: Float = 4
  /// The maximum gain: 10 dB. A canceller with this gain also adapts to echoes that are 10 dB
  /// louder.
  private static let maximum: Float = 10

  /// Adds the energies of a block.
  ///
  /// - Parameter before: The mean energy of the microphone signal in a block before this one.
  /// - Returns: The gain so far. Nil if it is not known, if the playback is silent, or if the
  ///   measurement is complete.
  mutating func add(microphone: Float, reference: Float, before: Float, plan: EchoPlan) -> Float? {
    guard blocks < plan.calibrationBlocks,
      reference > PathComparison.silenceThreshold * Float(plan.block)
    else { return nil }
    if blocks == 0 { self.before = before }
    blocks += 1
    self.microphone += microphone
    self.reference += reference
    let gain = self.microphone / self.reference
    if self.microphone > Self.minimumRise * Float(blocks) * self.before {
      return min(gain, Self.maximum)
    }
    return blocks == plan.calibrationBlocks ? min(gain, 1) : nil
  }
}
