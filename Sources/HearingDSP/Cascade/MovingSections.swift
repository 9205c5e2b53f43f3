/// Four sections of any kind whose coefficients move with every sample.
struct MovingSections: CascadeStage {
  private var sections: LaneSections

  @_noLocks @_noAllocation @inline(__always)
  init(_ sections: UnsafeMutablePointer<LaneSections>) {
    self.sections = sections.pointee
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func filter(_ x: Lanes) -> Lanes {
    sections.now.a += sections.step.a
    sections.now.c += sections.step.c
    sections.now.e += sections.step.e
    sections.now.f += sections.step.f
    let u = (sections.s1 - sections.s2) + x
    let v = sections.now.a * u
    let y = (x + sections.now.f * sections.s2) + sections.now.e * u
    sections.s1 = v - sections.s1
    sections.s2 = sections.s2 + sections.now.c * v
    return y
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func filter(_ x: Lanes, where mask: SIMDMask<SIMD4<Int32>>) -> Lanes {
    let old = sections
    let y = filter(x)
    sections.s1 = old.s1.replacing(with: sections.s1, where: mask)
    sections.s2 = old.s2.replacing(with: sections.s2, where: mask)
    sections.now.a = old.now.a.replacing(with: sections.now.a, where: mask)
    sections.now.c = old.now.c.replacing(with: sections.now.c, where: mask)
    sections.now.e = old.now.e.replacing(with: sections.now.e, where: mask)
    sections.now.f = old.now.f.replacing(with: sections.now.f, where: mask)
    return y
  }

  @_noLocks @_noAllocation @inline(__always)
  func store(_ sections: UnsafeMutablePointer<LaneSections>) {
    sections.pointee.s1 = self.sections.s1
    sections.pointee.s2 = self.sections.s2
    sections.pointee.now = self.sections.now
  }

  static var depth: Int {
    @_noLocks @_noAllocation @inline(__always) get { 1 }
  }
}
