internal import HearingDSP

/// The lengths and time constants of a canceller at one sample rate and tail.
struct EchoPlan: Sendable {
  /// Frames of a block, a power of two of 8…16 ms: filters adapt once per block.
  let block: Int

  /// The number of partitions of a filter, each one block long; may become smaller than planned.
  var partitions: Int

  /// Numbers in one partition of a spectrum: `block` + 1, padded to whole vectors.
  let stride: Int

  /// The process noise per block: 1 − A² of the state-space model.
  let processNoise: Float

  /// Smoothing of the powers by which filters are compared: a time constant of 50 ms.
  let comparisonSmoothing: Float

  /// Blocks for which the shadow filter must be better before it takes over: 30 ms.
  let takeoverBlocks: Int

  /// Blocks of the trial in which the former filter may be restored: 0.4 s.
  let trialBlocks: Int

  /// Blocks in which the gain from loudspeaker to microphone is first measured: 0.1 s.
  let calibrationBlocks: Int

  /// The factor per block of an envelope that falls by 44 dB a second.
  let envelopeDecay: Float

  /// The update rate of means: a time constant of 40 ms.
  let meanRate: Float

  /// The update rate of the leakage: a time constant of 8 s.
  let leakageRate: Float

  init(sampleRate: Double, tail: Double) {
    var block = 32
    while Double(block) < 0.008 * sampleRate { block *= 2 }
    self.block = block
    // One more than the tail needs: the first block of the response starts without delay.
    partitions = Self.partitions(tail: tail, sampleRate: sampleRate, block: block)
    stride = block + 4
    let time = Double(block) / sampleRate
    func decay(_ constant: Double) -> Float { Float(CMath.exponential(-time / constant)) }
    processNoise = Float(2.5e-3 * time)
    comparisonSmoothing = decay(0.05)
    takeoverBlocks = Int((0.03 / time).rounded(.up))
    trialBlocks = Int((0.4 / time).rounded(.up))
    calibrationBlocks = Int((0.1 / time).rounded(.up))
    envelopeDecay = Float(CMath.power(10, -4.4 * time))
    meanRate = 1 - decay(0.04)
    leakageRate = 1 - decay(8)
  }

  /// The number of partitions for a tail in seconds.
  static func partitions(tail: Double, sampleRate: Double, block: Int) -> Int {
    let exact = tail * sampleRate / Double(block)
    let whole = Int(exact)
    return (Double(whole) < exact ? whole + 1 : whole) + 1
  }
}
