/// The coefficients and the state of four level detectors of one channel.
///
/// A detector is a resonator with two poles, w = x − a1 w′ − a2 w″. The input of the resonator is
/// x. The value of the resonator is w, and the previous two values are w′ and w″. The stored state
/// is the value w and the growth d = w − w′ = x − (1 + a1 + a2) w′ + a2 d′. Here d′ is the previous
/// growth.
///
/// The energy of the resonator is w′² − w w″ (the Teager–Kaiser energy operator). For a steady tone
/// of any frequency, the energy is constant. Therefore the measured level and the gains have no
/// ripple. Below and above the band, a detector's response falls by 6 dB per octave, like the
/// response of a second-order band-pass filter.
struct DetectorStates {
  /// The coefficient −(1 + a1 + a2) in the equation of the resonators. The equation is in the
  /// description of ``DetectorStates``.
  var pull: Float4 = .zero
  /// The coefficient a2 in the equation of the resonators. The equation is in the description of
  /// ``DetectorStates``.
  var persistence: Float4 = .zero
  /// The factor that converts the energy of a resonator to the mean square of the signal in the
  /// band.
  var weight: Float4 = .zero

  var resonator = Resonator()

  /// The smoothed mean square of the signal in the band.
  var power: Float4 = .zero

  /// Sets the state of the four detectors to 0.
  mutating func clear() {
    resonator = Resonator()
    power = .zero
  }

  /// Returns the logarithm to base 2 of the power in each band. Called at the end of a window (at
  /// most 2 ms).
  ///
  /// If a band contains two tones, the computed energy may be negative for a short time. A negative
  /// energy counts as 0. A tiny energy also counts as 0, because the product of the energy and the
  /// weight would be denormal.
  ///
  /// - Parameters:
  ///   - scale: 1 divided by the number of energies in the sum.
  ///   - smoothing: the coefficient of the one-pole filter that smooths the power, 0…1.
  @inline(__always)
  mutating func finish(scale: Float, smoothing: Float) -> Float4 {
    let energy = resonator.energy
    let mean = energy.kept(where: energy .>= DenormalGuard.energyFloor) * weight * scale
    resonator.energy = .zero
    // While the input is constant, the growth (the change of the resonator's value per sample)
    // decays. A tiny growth is set to 0 before the growth becomes denormal.
    let growth = resonator.growth
    resonator.growth = growth.kept(where: growth.magnitude .>= DenormalGuard.inputFloor)
    let next = power + (mean - power) * smoothing
    power = next.replacing(with: Self.minimumPower, where: next .< Self.minimumPower)
    return power.binaryLogarithm
  }

  /// The minimum power, which represents silence: −200 dB relative to full scale.
  private static let minimumPower: Float = 1e-20
}

/// The state of four resonators.
struct Resonator {
  var value: Float4 = .zero
  var growth: Float4 = .zero
  /// The sum of the energies since the start of the window (at most 2 ms).
  var energy: Float4 = .zero
}
