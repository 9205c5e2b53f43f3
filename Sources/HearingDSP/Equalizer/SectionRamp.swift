/// The ramp of four sections from one target to the next.
struct SectionRamp {
  /// The gains, as in ``SectionTargets/gain``.
  var motion = GainMotion()
  /// The points at the last sub-block edge and at the next one; the ramp runs between them.
  var last = SectionCoefficients()
  var next = SectionTargets()
  /// How the coefficients change during the ramp.
  var slopes = SectionSlopes()

  /// Starts a ramp from the coefficients in force to the end of the sub-block, which is 1 / `scale`
  /// samples away.
  ///
  /// A curve begins halfway between the last two points and ends halfway to the next one.
  @inline(__always)
  mutating func start(_ shape: RampShape, from now: SectionCoefficients, scale: Float) {
    guard shape.isCurved else {
      slopes.step = now.change(to: next.coefficients, scale: scale)
      return
    }
    // At its start, the curve has the slope of the line to the last point; at its end, it has the
    // slope of the line to the next point.
    let first = now.change(to: last, scale: 2 * scale)
    let final = last.change(to: next.coefficients, scale: scale)
    slopes.bend = (final - first) * scale
    slopes.step = first + slopes.bend * 0.5
  }

  /// The exact coefficients at the end of a ramp.
  @inline(__always)
  func end(_ shape: RampShape) -> SectionCoefficients {
    shape.isCurved ? last.midpoint(to: next.coefficients) : next.coefficients
  }
}

/// How the coefficients of four sections change with every sample of a ramp.
struct SectionSlopes {
  /// The change with the next sample.
  var step = CoefficientChange()
  /// How much `step` changes with every sample; used only if the ramp is curved.
  var bend = CoefficientChange()
}

/// A change of the coefficients of four sections; `c` does not change in any ramp.
struct CoefficientChange {
  var a: Float4 = .zero
  var b: Float4 = .zero
  var e: Float4 = .zero
  var f: Float4 = .zero

  @inline(__always)
  static func + (one: CoefficientChange, other: CoefficientChange) -> CoefficientChange {
    CoefficientChange(
      a: one.a + other.a, b: one.b + other.b, e: one.e + other.e, f: one.f + other.f)
  }

  @inline(__always)
  static func - (one: CoefficientChange, other: CoefficientChange) -> CoefficientChange {
    CoefficientChange(
      a: one.a - other.a, b: one.b - other.b, e: one.e - other.e, f: one.f - other.f)
  }

  @inline(__always)
  static func * (change: CoefficientChange, scale: Float) -> CoefficientChange {
    CoefficientChange(
      a: change.a * scale, b: change.b * scale, e: change.e * scale, f: change.f * scale)
  }
}
