internal import HearingDSP

/// The lengths and constants of a canceller for one sample rate and tail.
struct EchoPlan: Sendable {
  /// Frames of a block, a power of two of 8…16 ms: filters adapt once in each.
  let block: Int

  /// Blocks of a filter.
  let partitions: Int

  /// Numbers in one partition of a spectrum: `block` + 1, filled up to whole vectors.
  let stride: Int

  /// What a filter loses of its certainty in a block: 1 − A².
  let drift: Float

  /// What is kept from block to block of the powers by which filters are compared, over 50 ms.
  let comparing: Float

  /// Blocks for which the shadow filter must be better before it takes over: 30 ms.
  let proof: Int

  /// Blocks in which the filter that was heard before may come back: 0.4 s.
  let probation: Int

  /// Blocks in which the gain from loudspeaker to microphone is first measured: 0.1 s.
  let calibrating: Int

  /// What is kept from block to block of an envelope that falls by 44 dB a second.
  let envelope: Float

  /// The share by which a mean follows, in a block, with a time constant of 40 ms.
  let mean: Float

  /// The same for 8 s of what is learnt of the leakage.
  let learning: Float

  init(sampleRate: Double, tail: Double) {
    var block = 32
    while Double(block) < 0.008 * sampleRate { block *= 2 }
    self.block = block
    // One more than the tail needs: the first block of the response begins at no delay.
    partitions = Int((tail * sampleRate / Double(block)).rounded(.up)) + 1
    stride = block + 4
    let time = Double(block) / sampleRate
    func kept(_ constant: Double) -> Float { Float(Elementary.exponential(-time / constant)) }
    drift = Float(2.5e-3 * time)
    comparing = kept(0.05)
    proof = Int((0.03 / time).rounded(.up))
    probation = Int((0.4 / time).rounded(.up))
    calibrating = Int((0.1 / time).rounded(.up))
    envelope = Float(Elementary.power(10, -4.4 * time))
    mean = 1 - kept(0.04)
    learning = 1 - kept(8)
  }
}
