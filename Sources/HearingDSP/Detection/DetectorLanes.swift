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

  var state = DetectorState()

  /// Mean square of what is in the band, smoothed.
  var power: Lanes = .zero

  /// Forgets the sound heard so far.
  @_noLocks @_noAllocation @inline(__always)
  mutating func clear() {
    state.clear()
    power = .zero
  }

  /// Ends a sub-block: the logarithm to base 2 of the power in each band.
  ///
  /// - Parameters:
  ///   - share: 1 / number of squares added up: 2 / frames of the sub-block.
  ///   - smoothing: how far the smoothed power follows.
  @_noLocks @_noAllocation @inline(__always)
  mutating func finish(share: Float, smoothing: Float) -> Lanes {
    let mean = (state.bandSum * bandWeight + state.lowSum * lowWeight) * share
    state.bandSum = .zero
    state.lowSum = .zero
    let next = power + (mean - power) * smoothing
    power = next.replacing(with: Self.leastPower, where: next .< Self.leastPower)
    return power.binaryLogarithm
  }

  /// Silence, −200 dB of full scale.
  private static var leastPower: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-20 }
  }
}
