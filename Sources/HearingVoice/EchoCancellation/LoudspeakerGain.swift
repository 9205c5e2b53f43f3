/// The power gain from the loudspeakers to the microphone, measured in the first 0.1 s of sound.
struct LoudspeakerGain {
  /// The number of blocks with playback so far.
  private var blocks = 0
  /// The energy of the microphone signal in these blocks.
  private var microphone: Float = 0
  /// The energy of the reference in these blocks.
  private var reference: Float = 0

  /// Adds the energies of a block.
  ///
  /// - Returns: The gain so far. Nil if the playback is silent or the measurement is complete.
  mutating func add(microphone: Float, reference: Float, plan: EchoPlan) -> Float? {
    guard blocks < plan.calibrationBlocks,
      reference > PathComparison.silenceThreshold * Float(plan.block)
    else { return nil }
    blocks += 1
    self.microphone += microphone
    self.reference += reference
    return self.microphone / self.reference
  }
}
