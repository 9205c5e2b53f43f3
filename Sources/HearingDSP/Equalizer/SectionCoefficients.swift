/// The coefficients of four sections of the cascade.
///
/// A section is a state-variable filter with trapezoidal integrators, as described by Zavalishin
/// and Simper:
///
///     v1 = (s1 + g (x − s2)) / (1 + g (g + k)),  v2 = s2 + g v1,  y = x + m1 v1 + m2 v2
///
/// In the equations, x is the input and y is the output. The frequency f and the sample rate give g
/// = tan(π f / rate), and k is the damping. The filter states are s1 and s2. The band-pass output
/// is v1, the low-pass output is v2, and the weights of these outputs are m1 and m2. With u = s1 /
/// g − s2 + x, the filter equations become
///
///     y = x + e u + f s2,  s1 / g ← a u − s1 / g,  s2 ← s2 + b u
///
/// A section is passive if g and k are positive. In terms of a and b, a section is passive if a >
/// 0, b > 0 and a + b < 2. These three conditions are linear in a and b. Therefore, if a and b are
/// ramped from one passive section to another, the section is passive at every point of the ramp.
/// If a and g² were ramped instead of a and b, the section might not be passive.
struct SectionCoefficients {
  /// a = 2 / (1 + g (g + k)). See ``SectionCoefficients`` for the symbols.
  var a: Float4 = .zero
  /// b = g² a. The coefficient b is 0 in a lane without a section.
  var b: Float4 = .zero
  /// c = g². The coefficient c of a bell is constant.
  var c: Float4 = .zero
  /// The weight of the band-pass in the output: e = (m1 + m2 g) g a / 2. The weight e is exactly 0
  /// at a gain of 0 dB.
  var e: Float4 = .zero
  /// The weight of the low-pass state in the output: f = m2. The weight f is exactly 0 in bells,
  /// and at a gain of 0 dB.
  var f: Float4 = .zero

  /// Whether any coefficient differs between `self` and `other`.
  func differs(from other: SectionCoefficients) -> Bool {
    any((a .!= other.a) .| (b .!= other.b) .| (e .!= other.e) .| (f .!= other.f))
  }

  /// The difference `other` minus `self`, multiplied by `scale`.
  @inline(__always)
  func change(to other: SectionCoefficients, scale: Float) -> CoefficientChange {
    CoefficientChange(
      a: (other.a - a) * scale, b: (other.b - b) * scale,
      e: (other.e - e) * scale, f: (other.f - f) * scale)
  }

  /// The coefficients halfway between `self` and `other`. If `self` equals `other`, the result is
  /// exactly `other`.
  @inline(__always)
  func midpoint(to other: SectionCoefficients) -> SectionCoefficients {
    SectionCoefficients(
      a: (a + other.a) * 0.5, b: (b + other.b) * 0.5, c: other.c,
      e: (e + other.e) * 0.5, f: (f + other.f) * 0.5)
  }
}

/// The target gains and target coefficients of four sections.
struct SectionTargets {
  /// The gain of each section: half the logarithm to base 2 of the amplitude ratio. The number 1
  /// means a gain of 12.04 dB.
  var gain: Float4 = .zero

  /// The coefficients for ``gain``.
  var coefficients = SectionCoefficients()
}
