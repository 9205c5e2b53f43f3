/// A ramp of the filter coefficients of four sections from the previous target to the next target.
struct SectionRamp {
  /// The gains as functions of time, in the unit of ``SectionTargets/gain``.
  var motion = GainMotion()
  /// The target coefficients of the previous ramp.
  var last = SectionCoefficients()
  /// The target gains and target coefficients of the current ramp.
  var next = SectionTargets()
  /// The change of each coefficient per sample during the ramp.
  var slopes = SectionSlopes()

  /// Starts a ramp from the coefficients `now`. The length of the ramp is 1 / `scale` samples. The
  /// ramp ends at the end of the sub-block (at most 1 ms).
  ///
  /// A curved ramp starts at `now` and ends at the midpoint between `last` and `next`.
  @inline(__always)
  mutating func start(_ shape: RampShape, from now: SectionCoefficients, scale: Float) {
    guard shape.isCurved else {
      slopes.step = now.change(to: next.coefficients, scale: scale)
      return
    }
    // A curved ramp starts in the direction from `now` to `last`, and ends in the direction from
    // `last` to `next`.
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

/// The changes of the coefficients of four sections from one sample of a ramp to the next.
struct SectionSlopes {
  /// The change of the coefficients from the current sample to the next sample.
  var step = CoefficientChange()
  /// The change of `step` from one sample to the next, used only by curved ramps.
  var bend = CoefficientChange()
}

/// A change of the coefficients of four sections. The coefficient c is not ramped.
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
