/// Four level detectors of one channel: what they are, and what they have heard.
///
/// A detector is a resonator with two poles, w ← x − a1 w′ − a2 w″, kept as its value w and its last
/// growth d. Of a steady tone of any frequency w′² − w w″ (the energy operator after Teager and
/// Kaiser) is the same at every sample, and over frequency it has the skirts of a band-pass, 6 dB an
/// octave on both sides: the reading has no ripple that could reach the gains.
struct DetectorStates {
  /// −(1 + a1 + a2): how w pulls d back.
  var pull: Float4 = .zero
  /// a2: what remains of d.
  var persistence: Float4 = .zero
  /// What the energy counts for in the mean square.
  var weight: Float4 = .zero

  var value: Float4 = .zero
  var growth: Float4 = .zero

  /// Energy added up since the last edge.
  var energy: Float4 = .zero

  /// Mean square of what is in the band, smoothed.
  var power: Float4 = .zero

  /// Forgets the sound heard so far.
  @_noLocks @_noAllocation @inline(__always)
  mutating func clear() {
    value = .zero
    growth = .zero
    energy = .zero
    power = .zero
  }

  /// Sets states too small to be heard to zero, before they become denormal and slow.
  @_noLocks @_noAllocation @inline(__always)
  mutating func flush() {
    value = value.withoutTraces
    growth = growth.withoutTraces
  }

  /// At an edge: the logarithm to base 2 of the power in each band.
  ///
  /// Of two sounds in a band the energy may dip below zero for a moment, which is no power.
  ///
  /// - Parameters:
  ///   - share: 1 / number of energies added up.
  ///   - smoothing: how far the smoothed power follows.
  @_noLocks @_noAllocation @inline(__always)
  mutating func finish(share: Float, smoothing: Float) -> Float4 {
    let mean = energy * weight * share
    energy = .zero
    let positive = mean.replacing(with: Float4.zero, where: mean .< 0)
    let next = power + (positive - power) * smoothing
    power = next.replacing(with: Self.leastPower, where: next .< Self.leastPower)
    return power.binaryLogarithm
  }

  /// Silence, −200 dB of full scale.
  private static var leastPower: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-20 }
  }
}
