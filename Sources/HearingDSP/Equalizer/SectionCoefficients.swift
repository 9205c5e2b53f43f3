/// The coefficients of four sections of the cascade.
///
/// A section is a state-variable filter after Zavalishin and Simper (trapezoidal integrators):
///
///     v1 = (s1 + g (x − s2)) / (1 + g (g + k)),  v2 = s2 + g v1,  y = x + m1 v1 + m2 v2
///
/// with g = tan(π f / rate) and the damping k. With u = s1 / g − s2 + x it becomes
///
///     y = x + e u + f s2,  s1 / g ← a u − s1 / g,  s2 ← s2 + b u
///
/// A section is passive if g and k are positive, which means that a and b are positive and a + b <
/// 2. These bounds are linear. Therefore every point of a straight or curved ramp of a and b
/// between passive sections is passive as well. A ramp of a and g² would not guarantee this.
struct SectionCoefficients {
  /// 2 / (1 + g (g + k)).
  var a: Float4 = .zero
  /// g² a; 0 in a lane without a section.
  var b: Float4 = .zero
  /// g²; constant in bells.
  var c: Float4 = .zero
  /// Weight of the band-pass in the output, (m1 + m2 g) g a / 2; exactly 0 at 0 dB.
  var e: Float4 = .zero
  /// Weight of the low-pass state in the output, m2; exactly 0 at 0 dB and in bells.
  var f: Float4 = .zero

  /// Whether any coefficient differs from the one of `other`.
  func differs(from other: SectionCoefficients) -> Bool {
    any((a .!= other.a) .| (b .!= other.b) .| (e .!= other.e) .| (f .!= other.f))
  }

  /// The difference from `self` to `other`, multiplied by `scale`.
  @inline(__always)
  func change(to other: SectionCoefficients, scale: Float) -> CoefficientChange {
    CoefficientChange(
      a: (other.a - a) * scale, b: (other.b - b) * scale,
      e: (other.e - e) * scale, f: (other.f - f) * scale)
  }

  /// Halfway to `other`, and exactly `other` if both are equal.
  @inline(__always)
  func midpoint(to other: SectionCoefficients) -> SectionCoefficients {
    SectionCoefficients(
      a: (a + other.a) * 0.5, b: (b + other.b) * 0.5, c: other.c,
      e: (e + other.e) * 0.5, f: (f + other.f) * 0.5)
  }
}

/// The gains and coefficients of four sections, in force or as the target of a ramp.
struct SectionTargets {
  /// Gain of each section: half the logarithm to base 2 of its amplitude ratio, dB / 12.04.
  var gain: Float4 = .zero

  /// The coefficients for that gain.
  var coefficients = SectionCoefficients()
}
