/// Four sections of any kind whose coefficients move with every sample.
struct MovingSections: CascadeStage {
  private var s1: Lanes
  private var s2: Lanes
  private var now: LaneCoefficients
  private let step: LaneCoefficients

  @_noLocks @_noAllocation @inline(__always)
  init(_ sections: UnsafeMutablePointer<LaneSections>) {
    s1 = sections.pointee.s1
    s2 = sections.pointee.s2
    now = sections.pointee.now
    step = sections.pointee.step
  }

  @inline(__always)
  mutating func filter(_ x: Lanes) -> Lanes {
    now.a += step.a
    now.c += step.c
    now.e += step.e
    now.f += step.f
    let result = SectionStep.moving(
      x, s1: s1, s2: s2, a: now.a, c: now.c, e: now.e, f: now.f)
    s1 = result.s1
    s2 = result.s2
    return result.output
  }

  @inline(__always)
  mutating func filter(_ x: Lanes, where mask: SIMDMask<SIMD4<Int32>>) -> Lanes {
    now.a += step.a.kept(where: mask)
    now.c += step.c.kept(where: mask)
    now.e += step.e.kept(where: mask)
    now.f += step.f.kept(where: mask)
    let result = SectionStep.moving(
      x, s1: s1, s2: s2, a: now.a, c: now.c, e: now.e, f: now.f)
    s1 = s1.replacing(with: result.s1, where: mask)
    s2 = s2.replacing(with: result.s2, where: mask)
    return result.output
  }

  @_noLocks @_noAllocation @inline(__always)
  func store(_ sections: UnsafeMutablePointer<LaneSections>) {
    sections.pointee.s1 = s1
    sections.pointee.s2 = s2
    sections.pointee.now = now
  }
}
