/// Four bells whose coefficients move with every sample, but stay at their places.
struct MovingBells: CascadeStage {
  private var s1: Lanes
  private var s2: Lanes
  private var a: Lanes
  private var e: Lanes
  private let c: Lanes
  private let stepA: Lanes
  private let stepE: Lanes

  @_noLocks @_noAllocation @inline(__always)
  init(_ sections: UnsafeMutablePointer<LaneSections>) {
    s1 = sections.pointee.s1
    s2 = sections.pointee.s2
    a = sections.pointee.now.a
    e = sections.pointee.now.e
    c = sections.pointee.now.c
    stepA = sections.pointee.step.a
    stepE = sections.pointee.step.e
  }

  @inline(__always)
  mutating func filter(_ x: Lanes) -> Lanes {
    a += stepA
    e += stepE
    let step = SectionStep.movingBell(x, s1: s1, s2: s2, a: a, c: c, e: e)
    s1 = step.s1
    s2 = step.s2
    return step.output
  }

  @inline(__always)
  mutating func filter(_ x: Lanes, where mask: SIMDMask<SIMD4<Int32>>) -> Lanes {
    a += stepA.kept(where: mask)
    e += stepE.kept(where: mask)
    let step = SectionStep.movingBell(x, s1: s1, s2: s2, a: a, c: c, e: e)
    s1 = s1.replacing(with: step.s1, where: mask)
    s2 = s2.replacing(with: step.s2, where: mask)
    return step.output
  }

  @_noLocks @_noAllocation @inline(__always)
  func store(_ sections: UnsafeMutablePointer<LaneSections>) {
    sections.pointee.s1 = s1
    sections.pointee.s2 = s2
    sections.pointee.now.a = a
    sections.pointee.now.e = e
  }
}
