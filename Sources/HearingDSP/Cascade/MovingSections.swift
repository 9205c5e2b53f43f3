/// Four sections of any kind whose coefficients move with every sample.
struct MovingSections: CascadeStage {
  private var s1: Float4
  private var s2: Float4
  private var now: LaneCoefficients
  private let step: LaneCoefficients

  @_noLocks @_noAllocation @inline(__always)
  init(_ sections: UnsafeMutablePointer<LaneSections>) {
    s1 = sections.pointee.s1
    s2 = sections.pointee.s2
    now = sections.pointee.now
    step = sections.pointee.step
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func filter(_ x: Float4) -> Float4 {
    now.a += step.a
    now.c += step.c
    now.e += step.e
    now.f += step.f
    let output: Float4
    (output, s1, s2) = result(x)
    return output
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func filter(_ x: Float4, where mask: SIMDMask<SIMD4<Int32>>) -> Float4 {
    now.a += step.a.kept(where: mask)
    now.c += step.c.kept(where: mask)
    now.e += step.e.kept(where: mask)
    now.f += step.f.kept(where: mask)
    let (output, new1, new2) = result(x)
    s1 = s1.replacing(with: new1, where: mask)
    s2 = s2.replacing(with: new2, where: mask)
    return output
  }

  /// What comes of `x`: the output and the new state.
  @_noLocks @_noAllocation @inline(__always)
  private func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4) {
    let u = (s1 - s2) + x
    let v = now.a * u
    return ((x + now.f * s2) + now.e * u, v - s1, s2 + now.c * v)
  }

  @_noLocks @_noAllocation @inline(__always)
  func store(_ sections: UnsafeMutablePointer<LaneSections>) {
    sections.pointee.s1 = s1
    sections.pointee.s2 = s2
    sections.pointee.now = now
  }
}
