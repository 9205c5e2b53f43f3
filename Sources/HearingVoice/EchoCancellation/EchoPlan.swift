internal import HearingDSP

/// The block length and the time constants of an echo canceller, for a given sample rate and a
/// given length of the echo.
struct EchoPlan: Sendable {
  /// The number of frames in a block: a power of two, 8…16 ms long. The filters adapt once per
  /// block.
  let block: Int

  /// The number of partitions of a filter. A partition is a part of the impulse response with the
  /// length of one block. A restart with a shorter tail may reduce the number of partitions.
  var partitions: Int

  /// The number of elements of a spectrum, which has `block` + 1 bins. The number of elements is
  /// rounded up to a multiple of four.
  let stride: Int

  /// The process noise per block: 1 − A², where A is the transition factor of the state-space
  /// model. The process noise is 0.01 per second. In measurements with a process noise of 0.0025
  /// per second, the echo was reduced less if the room changed or the loudspeaker distorted. In
  /// measurements with a process noise of 0.02 per second, the filter was less exact in double
  /// talk.
  let processNoise: Float

  /// The smoothing factor per block for the signal energies in `PathComparison`. The time constant
  /// is 50 ms.
  let comparisonSmoothing: Float

  /// If the shadow filter is better than the room filter in this number of consecutive blocks (30
  /// ms), the two filters are exchanged. The shadow filter is better if the error of the shadow
  /// filter is 3 dB lower than the error of the room filter.
  let takeoverBlocks: Int

  /// The length of a trial in blocks (0.4 s). A trial starts when the room filter and the shadow
  /// filter are exchanged. At the end of the trial, the filters may be exchanged back.
  let trialBlocks: Int

  /// The number of blocks (0.1 s) over which the gain from loudspeaker to microphone is measured at
  /// the start of playback.
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

  /// The number of partitions for a tail in seconds. The result is the number of blocks in the
  /// tail, rounded up, plus one.
  static func partitions(tail: Double, sampleRate: Double, block: Int) -> Int {
    Int((tail * sampleRate / Double(block)).roundedUp) + 1
  }
}

extension Double {
  /// This number, rounded up to an integer. The function `rounded(.up)` calls the C library. Code
  /// on an audio thread must not call the C library, so this code uses `roundedUp` instead.
  var roundedUp: Int64 {
    let whole = Int64(self)
    return Double(whole) < self ? whole + 1 : whole
  }
}
