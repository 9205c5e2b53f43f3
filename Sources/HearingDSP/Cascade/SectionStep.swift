/// What comes of a sample in a section: its output and the section's new state, as in
/// ``LaneCoefficients``.
///
/// Written once for single numbers and for lanes, so that both round alike.
struct SectionStep<Number: CascadeNumber> {
  let output: Number
  let s1: Number
  let s2: Number

  /// A bell whose coefficients rest, `c` as c a.
  @inline(__always)
  static func settledBell(
    _ x: Number, s1: Number, s2: Number, a: Number, c: Number, d: Number, e: Number
  ) -> SectionStep {
    let q = s1 - s2
    let u = q + x
    return SectionStep(output: d * x + e * q, s1: a * u - s1, s2: s2 + c * u)
  }

  /// A section of any kind whose coefficients rest.
  @inline(__always)
  static func settled(
    _ x: Number, s1: Number, s2: Number, a: Number, c: Number, d: Number, e: Number, f: Number
  ) -> SectionStep {
    let q = s1 - s2
    let u = q + x
    return SectionStep(output: d * x + (e * q + f * s2), s1: a * u - s1, s2: s2 + c * u)
  }

  /// A bell whose coefficients have just moved.
  @inline(__always)
  static func movingBell(
    _ x: Number, s1: Number, s2: Number, a: Number, c: Number, e: Number
  ) -> SectionStep {
    let u = (s1 - s2) + x
    let v = a * u
    return SectionStep(output: x + e * u, s1: v - s1, s2: s2 + c * v)
  }

  /// A section of any kind whose coefficients have just moved.
  @inline(__always)
  static func moving(
    _ x: Number, s1: Number, s2: Number, a: Number, c: Number, e: Number, f: Number
  ) -> SectionStep {
    let u = (s1 - s2) + x
    let v = a * u
    return SectionStep(output: (x + f * s2) + e * u, s1: v - s1, s2: s2 + c * v)
  }
}
