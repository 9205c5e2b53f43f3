internal import HearingDSP

/// The block length and the time constants of a canceller, for one sample rate and one tail.
struct EchoPlan: Sendable {
  /// The number of frames in a block: a power of two, 8…16 ms long. The filters adapt once per
  /// block.
  let block: Int

  /// The number of partitions of a filter. Each partition is one block long. A restart with a
  /// shorter tail may reduce the number of partitions.
  var partitions: Int

  /// The number of elements of a spectrum: `block` + 1, padded to a multiple of four.
  let stride: Int

  /// The process noise per block: 1 − A², where A is the transition factor of the state-space
  /// model. The process noise is 0.01 per second. In measurements, 0.0025 per second reduced the
  /// echo less if the room changed or the loudspeaker distorted. With 0.02 per second, the filter
  /// was less exact in double talk.
  let processNoise: Float

  /// The smoothing factor per block for the energies in `PathComparison`. It corresponds to a time
  /// constant of 50 ms.
  let comparisonSmoothing: Float

  /// The two filters are exchanged if the error of the shadow filter has been lower for this number
  /// of blocks (30 ms).
  let takeoverBlocks: Int

  /// The number of blocks (0.4 s) of a trial after the room filter and the shadow filter have been
  /// exchanged. The trial may end with a return to the former room filter.
  let trialBlocks: Int

  /// The number of blocks (0.1 s) for the initial measurement of the gain from loudspeaker to
  /// microphone.
  let calibrationBlocks: Int

  init(sampleRate: Double, tail: Double) {
    var block = 32
    while Double(block) < 0.008 * sampleRate { block *= 2 }
    self.block = block
    partitions = Self.partitions(tail: tail, sampleRate: sampleRate, block: block)
    stride = block + 4
    let time = Double(block) / sampleRate
    processNoise = Float(1e-2 * time)
    comparisonSmoothing = Float(CMath.exponential(-time / 0.05))
    takeoverBlocks = Int((0.03 / time).rounded(.up))
    trialBlocks = Int((0.4 / time).rounded(.up))
    calibrationBlocks = Int((0.1 / time).rounded(.up))
  }

  /// The number of partitions for a tail in seconds: the tail in blocks, rounded up, plus one.
  static func partitions(tail: Double, sampleRate: Double, block: Int) -> Int {
    Int((tail * sampleRate / Double(block)).roundedUp) + 1
  }
}

extension Double {
  /// This number, rounded up to an integer. Unlike `rounded(.up)`, this property does not call the
  /// C library, so the render side may use it.
  var roundedUp: Int64 {
    let whole = Int64(self)
    return Double(whole) < self ? whole + 1 : whole
  }
}
