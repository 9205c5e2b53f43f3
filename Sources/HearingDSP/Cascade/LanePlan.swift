/// Where four sections sit and how wide they are, the same for every channel and all settings.
struct LanePlan {
  /// tan(π f / rate); 0 in a lane without a section.
  var g: Lanes = .zero

  /// Damping at 0 dB, 1 / quality.
  var damping: Lanes = .zero

  /// Not 0 in the lanes that hold a low shelf; the others hold bells.
  var shelf: SIMD4<Int32> = .zero

  /// The sections at `gain` (as in ``LaneTarget/gain``), to within 0.0001 dB.
  ///
  /// A bell of amplitude A² has k = 1 / (Q A), m1 = k (A² − 1), m2 = 0; a low shelf has
  /// g = tan(…) / √A, k = 1 / Q, m1 = k (A − 1), m2 = A² − 1 (Simper, "Linear trapezoidal integrated state
  /// variable filter with low noise optimisation", 2013).
  @_noLocks @_noAllocation @inline(__always)
  func coefficients(gain: Lanes) -> LaneCoefficients {
    let isShelf = shelf .!= 0
    let inverseRoot = (gain * -0.5).powerOfTwo
    let inverse = inverseRoot * inverseRoot
    let ratio = 1 / inverse
    let excess = ratio * ratio - 1
    let integrator = g.replacing(with: g * inverseRoot, where: isShelf)
    let k = (damping * inverse).replacing(with: damping, where: isShelf)
    let a = 2 / (1 + integrator * (integrator + k))
    let lowShelf = damping * (ratio - 1) + excess * integrator
    let bandPass = (k * excess).replacing(with: lowShelf, where: isShelf)
    return LaneCoefficients(
      a: a, c: integrator * integrator, e: bandPass * integrator * a * 0.5,
      f: Lanes.zero.replacing(with: excess, where: isShelf))
  }
}
