/// Four level detectors of one channel: what they are, and what they have heard.
struct DetectorLanes {
  /// High-pass: how much of its output goes back into its state.
  var h: Lanes = .zero
  /// Band-pass: 2 / (1 + g (g + k)).
  var a: Lanes = .zero
  /// g².
  var c: Lanes = .zero
  /// What the mean squares of band-pass and low-pass count for in the power.
  var bandWeight: Lanes = .zero
  var lowWeight: Lanes = .zero

  /// State of the high-pass and of the band-pass.
  var high: Lanes = .zero
  var s1: Lanes = .zero
  var t2: Lanes = .zero

  /// Squares added up since the last sub-block edge.
  var bandSum: Lanes = .zero
  var lowSum: Lanes = .zero

  /// Mean square of what is in the band, smoothed.
  var power: Lanes = .zero

  /// Forgets the sound heard so far.
  @_noLocks @_noAllocation @inline(__always)
  mutating func clear() {
    clearFilters()
    bandSum = .zero
    lowSum = .zero
    power = .zero
  }

  /// Lets the filters fall silent.
  @_noLocks @_noAllocation @inline(__always)
  mutating func clearFilters() {
    high = .zero
    s1 = .zero
    t2 = .zero
  }

  /// Sets states too small to be heard to zero, before they become denormal and slow.
  @_noLocks @_noAllocation @inline(__always)
  mutating func flush() {
    high = high.withoutTraces
    s1 = s1.withoutTraces
    t2 = t2.withoutTraces
  }

  /// Ends a sub-block: the logarithm to base 2 of the power in each band.
  ///
  /// - Parameters:
  ///   - share: 1 / frames of the sub-block.
  ///   - smoothing: how far the smoothed power follows.
  @_noLocks @_noAllocation @inline(__always)
  mutating func finish(share: Float, smoothing: Float) -> Lanes {
    let mean = (bandSum * bandWeight + lowSum * lowWeight) * share
    bandSum = .zero
    lowSum = .zero
    let next = power + (mean - power) * smoothing
    power = next.replacing(with: Self.leastPower, where: next .< Self.leastPower)
    return power.binaryLogarithm
  }

  /// Silence, −200 dB of full scale.
  private static var leastPower: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-20 }
  }
}
