/// Four sections of any kind with ramped coefficients.
struct RampedSections: SectionFilter {
  private var s1: Float4
  private var s2: Float4
  private var now: SectionCoefficients
  private let step: SectionCoefficients

  @_noLocks @_noAllocation @inline(__always)
  init(_ sections: UnsafeMutablePointer<SectionStates>) {
    s1 = sections.pointee.s1
    s2 = sections.pointee.s2
    now = sections.pointee.now
    step = sections.pointee.step
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func filter(_ x: Float4) -> Float4 {
    now.a += step.a
    now.b += step.b
    now.e += step.e
    now.f += step.f
    let output: Float4
    (output, s1, s2) = result(x)
    return output
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func filter(_ x: Float4, where mask: SIMDMask<SIMD4<Int32>>) -> Float4 {
    now.a += step.a.kept(where: mask)
    now.b += step.b.kept(where: mask)
    now.e += step.e.kept(where: mask)
    now.f += step.f.kept(where: mask)
    let (output, new1, new2) = result(x)
    s1 = s1.replacing(with: new1, where: mask)
    s2 = s2.replacing(with: new2, where: mask)
    return output
  }

  /// The output for `x` and the new state.
  @_noLocks @_noAllocation @inline(__always)
  private func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4) {
    let u = (s1 - s2) + x
    return ((x + now.f * s2) + now.e * u, now.a * u - s1, s2 + now.b * u)
  }

  @_noLocks @_noAllocation @inline(__always)
  func store(_ sections: UnsafeMutablePointer<SectionStates>) {
    sections.pointee.s1 = s1
    sections.pointee.s2 = s2
    sections.pointee.now = now
  }
}

/// Four bells with ramped coefficients; their frequencies never change.
struct RampedBells: SectionFilter {
  private var s1: Float4
  private var s2: Float4
  private var a: Float4
  private var e: Float4
  private let c: Float4
  private let stepA: Float4
  private let stepE: Float4

  @_noLocks @_noAllocation @inline(__always)
  init(_ sections: UnsafeMutablePointer<SectionStates>) {
    s1 = sections.pointee.s1
    s2 = sections.pointee.s2
    a = sections.pointee.now.a
    e = sections.pointee.now.e
    c = sections.pointee.now.c
    stepA = sections.pointee.step.a
    stepE = sections.pointee.step.e
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func filter(_ x: Float4) -> Float4 {
    a += stepA
    e += stepE
    let output: Float4
    (output, s1, s2) = result(x)
    return output
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func filter(_ x: Float4, where mask: SIMDMask<SIMD4<Int32>>) -> Float4 {
    a += stepA.kept(where: mask)
    e += stepE.kept(where: mask)
    let (output, new1, new2) = result(x)
    s1 = s1.replacing(with: new1, where: mask)
    s2 = s2.replacing(with: new2, where: mask)
    return output
  }

  /// The output for `x` and the new state.
  @_noLocks @_noAllocation @inline(__always)
  private func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4) {
    let u = (s1 - s2) + x
    let v = a * u
    return (x + e * u, v - s1, s2 + c * v)
  }

  @_noLocks @_noAllocation @inline(__always)
  func store(_ sections: UnsafeMutablePointer<SectionStates>) {
    sections.pointee.s1 = s1
    sections.pointee.s2 = s2
    sections.pointee.now.a = a
    sections.pointee.now.e = e
  }
}
