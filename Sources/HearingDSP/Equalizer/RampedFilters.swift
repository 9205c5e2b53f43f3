internal import HearingBuffers

/// Four sections of any kind with ramped coefficients.
struct RampedSections<Ramp: CoefficientRamp>: SectionFilter {
  private var s1: Float4
  private var s2: Float4
  private var a: Ramp
  private var b: Ramp
  private var e: Ramp
  private var f: Ramp

  @inline(__always)
  init(_ sections: CascadeSections) {
    s1 = sections.states[0].s1
    s2 = sections.states[0].s2
    let now = sections.states[0].now
    let slopes = sections.ramps?[0].slopes ?? SectionSlopes()
    let (step, bend) = (slopes.step, slopes.bend)
    a = Ramp(now: now.a, step: step.a, bend: bend.a)
    b = Ramp(now: now.b, step: step.b, bend: bend.b)
    e = Ramp(now: now.e, step: step.e, bend: bend.e)
    f = Ramp(now: now.f, step: step.f, bend: bend.f)
  }

  @inline(__always)
  mutating func filter(_ x: Float4) -> Float4 {
    a.advance()
    b.advance()
    e.advance()
    f.advance()
    let output: Float4
    (output, s1, s2) = result(x)
    return output
  }

  @inline(__always)
  mutating func filter(_ x: Float4, where mask: SIMDMask<SIMD4<Int32>>) -> Float4 {
    a.advance(where: mask)
    b.advance(where: mask)
    e.advance(where: mask)
    f.advance(where: mask)
    let (output, new1, new2) = result(x)
    s1 = s1.replacing(with: new1, where: mask)
    s2 = s2.replacing(with: new2, where: mask)
    return output
  }

  /// The output for `x` and the new state.
  @inline(__always)
  private func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4) {
    let u = (s1 - s2) + x
    return ((x + f.now * s2) + e.now * u, a.now * u - s1, s2 + b.now * u)
  }

  @inline(__always)
  func store(_ sections: CascadeSections) {
    sections.states[0].s1 = s1
    sections.states[0].s2 = s2
    sections.states[0].now.a = a.now
    sections.states[0].now.b = b.now
    sections.states[0].now.e = e.now
    sections.states[0].now.f = f.now
    sections.ramps?[0].slopes.step.a = a.step
    sections.ramps?[0].slopes.step.b = b.step
    sections.ramps?[0].slopes.step.e = e.step
    sections.ramps?[0].slopes.step.f = f.step
  }
}

/// Four bells with ramped coefficients; their frequencies never change.
struct RampedBells<Ramp: CoefficientRamp>: SectionFilter {
  private var s1: Float4
  private var s2: Float4
  private var a: Ramp
  private var e: Ramp
  private let c: Float4

  @inline(__always)
  init(_ sections: CascadeSections) {
    s1 = sections.states[0].s1
    s2 = sections.states[0].s2
    let now = sections.states[0].now
    let slopes = sections.ramps?[0].slopes ?? SectionSlopes()
    let (step, bend) = (slopes.step, slopes.bend)
    a = Ramp(now: now.a, step: step.a, bend: bend.a)
    e = Ramp(now: now.e, step: step.e, bend: bend.e)
    c = now.c
  }

  @inline(__always)
  mutating func filter(_ x: Float4) -> Float4 {
    a.advance()
    e.advance()
    let output: Float4
    (output, s1, s2) = result(x)
    return output
  }

  @inline(__always)
  mutating func filter(_ x: Float4, where mask: SIMDMask<SIMD4<Int32>>) -> Float4 {
    a.advance(where: mask)
    e.advance(where: mask)
    let (output, new1, new2) = result(x)
    s1 = s1.replacing(with: new1, where: mask)
    s2 = s2.replacing(with: new2, where: mask)
    return output
  }

  /// The output for `x` and the new state.
  @inline(__always)
  private func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4) {
    let u = (s1 - s2) + x
    let v = a.now * u
    return (x + e.now * u, v - s1, s2 + c * v)
  }

  @inline(__always)
  func store(_ sections: CascadeSections) {
    sections.states[0].s1 = s1
    sections.states[0].s2 = s2
    sections.states[0].now.a = a.now
    sections.states[0].now.e = e.now
    sections.ramps?[0].slopes.step.a = a.step
    sections.ramps?[0].slopes.step.e = e.step
  }
}
