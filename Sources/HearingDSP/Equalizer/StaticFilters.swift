internal import HearingBuffers

/// Four sections of any kind with static coefficients.
struct StaticSections: SectionFilter {
  private var s1: Float4
  private var s2: Float4
  private let a: Float4
  private let b: Float4
  private let d: Float4
  private let e: Float4
  private let f: Float4

  @inline(__always)
  init(_ sections: CascadeSections) {
    s1 = sections.states[0].s1
    s2 = sections.states[0].s2
    a = sections.states[0].now.a
    b = sections.states[0].now.b
    d = 1 + sections.states[0].now.e
    e = sections.states[0].now.e
    f = sections.states[0].now.f
  }

  @inline(__always)
  mutating func filter(_ x: Float4) -> Float4 {
    let output: Float4
    (output, s1, s2) = result(x)
    return output
  }

  @inline(__always)
  mutating func filter(_ x: Float4, where mask: SIMDMask<SIMD4<Int32>>) -> Float4 {
    let (output, new1, new2) = result(x)
    s1 = s1.replacing(with: new1, where: mask)
    s2 = s2.replacing(with: new2, where: mask)
    return output
  }

  /// The output for `x` and the new state.
  @inline(__always)
  private func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4) {
    let q = s1 - s2
    let u = q + x
    return (d * x + (e * q + f * s2), a * u - s1, s2 + b * u)
  }

  @inline(__always)
  func store(_ sections: CascadeSections) {
    sections.states[0].s1 = s1
    sections.states[0].s2 = s2
  }
}

/// Four bells with static coefficients; their output contains no low-pass.
struct StaticBells: SectionFilter {
  private var s1: Float4
  private var s2: Float4
  private let a: Float4
  private let c: Float4
  private let d: Float4
  private let e: Float4

  @inline(__always)
  init(_ sections: CascadeSections) {
    s1 = sections.states[0].s1
    s2 = sections.states[0].s2
    a = sections.states[0].now.a
    c = sections.states[0].now.c * sections.states[0].now.a
    d = 1 + sections.states[0].now.e
    e = sections.states[0].now.e
  }

  @inline(__always)
  mutating func filter(_ x: Float4) -> Float4 {
    let output: Float4
    (output, s1, s2) = result(x)
    return output
  }

  @inline(__always)
  mutating func filter(_ x: Float4, where mask: SIMDMask<SIMD4<Int32>>) -> Float4 {
    let (output, new1, new2) = result(x)
    s1 = s1.replacing(with: new1, where: mask)
    s2 = s2.replacing(with: new2, where: mask)
    return output
  }

  /// The output for `x` and the new state.
  @inline(__always)
  private func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4) {
    let q = s1 - s2
    let u = q + x
    return (d * x + e * q, a * u - s1, s2 + c * u)
  }

  @inline(__always)
  func store(_ sections: CascadeSections) {
    sections.states[0].s1 = s1
    sections.states[0].s2 = s2
  }
}
