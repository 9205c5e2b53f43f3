/// Four sections of any kind whose coefficients rest.
struct SettledSections: CascadeStage {
  private var s1: Lanes
  private var s2: Lanes
  private let a: Lanes
  private let c: Lanes
  private let d: Lanes
  private let e: Lanes
  private let f: Lanes

  @_noLocks @_noAllocation @inline(__always)
  init(_ sections: UnsafeMutablePointer<LaneSections>) {
    s1 = sections.pointee.s1
    s2 = sections.pointee.s2
    a = sections.pointee.now.a
    c = sections.pointee.now.c * sections.pointee.now.a
    d = 1 + sections.pointee.now.e
    e = sections.pointee.now.e
    f = sections.pointee.now.f
  }

  @inline(__always)
  mutating func filter(_ x: Lanes) -> Lanes {
    let step = SectionStep.settled(x, s1: s1, s2: s2, a: a, c: c, d: d, e: e, f: f)
    s1 = step.s1
    s2 = step.s2
    return step.output
  }

  @inline(__always)
  mutating func filter(_ x: Lanes, where mask: SIMDMask<SIMD4<Int32>>) -> Lanes {
    let step = SectionStep.settled(x, s1: s1, s2: s2, a: a, c: c, d: d, e: e, f: f)
    s1 = s1.replacing(with: step.s1, where: mask)
    s2 = s2.replacing(with: step.s2, where: mask)
    return step.output
  }

  @_noLocks @_noAllocation @inline(__always)
  func store(_ sections: UnsafeMutablePointer<LaneSections>) {
    sections.pointee.s1 = s1
    sections.pointee.s2 = s2
  }
}
