/// The power gain from the loudspeakers to the microphone, measured in the first 0.1 s of playback
/// above −50 dBFS.
///
/// Softer playback does not count, for example the noise before the first word. The echo of softer
/// playback may be weaker than the noise of the microphone. In this case, the measured gain would
/// be too high.
///
/// The gain is the ratio of the microphone signal's energy to the energy of the reference, which is
/// the playback signal. The ratio is too high if somebody talks when the playback begins. Therefore
/// the gain is limited to 1 if the level of the microphone signal rises by less than 6 dB when the
/// playback begins.
struct LoudspeakerGain {
  /// The number of blocks with playback that have been added.
  private var blocks = 0
  /// The energy of the microphone signal in the blocks with playback.
  private var microphone: Float = 0
  /// The energy of the reference in the blocks with playback.
  private var reference: Float = 0
  /// The mean energy of the microphone signal per block before the playback starts.
  private var before: Float = 0

  /// A block counts only if the mean square of the reference is above this value: −50 dBFS.
  private static let minimumPlayback: Float = 1e-5
  /// The gain may exceed 1 only if the energy of the microphone signal per block is more than this
  /// factor (6 dB) times `before`.
  private static let minimumRise: Float = 4
  /// The maximum gain: 10 dB. A canceller that starts with this gain also adapts if the true gain
  /// is 10 dB higher.
  private static let maximum: Float = 10

  /// Adds the energies of a block.
  ///
  /// - Parameter before: The mean energy of the microphone signal per block before the current
  ///   block.
  /// - Returns: The gain that has been measured so far. The function returns nil if the gain is not
  ///   known yet, if the playback is soft, or if the measurement was already complete.
  mutating func add(microphone: Float, reference: Float, before: Float, plan: EchoPlan) -> Float? {
    guard blocks < plan.calibrationBlocks, reference > Self.minimumPlayback * Float(plan.block)
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
