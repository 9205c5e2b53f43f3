/// Four level detectors of one channel: their coefficients and state.
///
/// A detector is a resonator with two poles, w ← x − a1 w′ − a2 w″, stored as its value w and its
/// last growth d. For a steady tone of any frequency, w′² − w w″ (the energy operator after Teager
/// and Kaiser) is the same at every sample, so the reading has no ripple that could reach the
/// gains. Over frequency it has the skirts of a band-pass, 6 dB an octave on both sides.
struct DetectorStates {
  /// −(1 + a1 + a2), the weight of w in d.
  var pull: Float4 = .zero
  /// a2, the weight of the last d in d.
  var persistence: Float4 = .zero
  /// The factor from energy to mean square.
  var weight: Float4 = .zero

  var resonator = Resonator()

  /// Smoothed mean square of the sound in the band.
  var power: Float4 = .zero

  /// Clears the state to silence.
  mutating func clear() {
    resonator = Resonator()
    power = .zero
  }

  /// Called at a window edge. Returns the logarithm to base 2 of the power in each band.
  ///
  /// The energy of two sounds in a band may be negative for a moment; it then counts as 0. Energies
  /// so small that weighting them would give a denormal also count as 0.
  ///
  /// - Parameters:
  ///   - scale: 1 / number of energies added up.
  ///   - smoothing: the coefficient of the one-pole that smooths the power, 0…1.
  @inline(__always)
  mutating func finish(scale: Float, smoothing: Float) -> Float4 {
    let energy = resonator.energy
    let mean = energy.kept(where: energy .>= DenormalGuard.energyFloor) * weight * scale
    resonator.energy = .zero
    // With constant input, the growth would decay into denormals.
    let growth = resonator.growth
    resonator.growth = growth.kept(where: growth.magnitude .>= DenormalGuard.inputFloor)
    let next = power + (mean - power) * smoothing
    power = next.replacing(with: Self.minimumPower, where: next .< Self.minimumPower)
    return power.binaryLogarithm
  }

  /// The power that counts as silence, −200 dB re full scale.
  private static let minimumPower: Float = 1e-20
}

/// The state of four resonators.
struct Resonator {
  var value: Float4 = .zero
  var growth: Float4 = .zero
  /// The sum of the energies since the last window edge.
  var energy: Float4 = .zero
}
