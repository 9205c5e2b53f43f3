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

  @_noLocks @_noAllocation @inline(__always)
  mutating func filter(_ x: Lanes) -> Lanes {
    a += stepA
    e += stepE
    let output: Lanes
    (output, s1, s2) = result(x)
    return output
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func filter(_ x: Lanes, where mask: SIMDMask<SIMD4<Int32>>) -> Lanes {
    a += stepA.kept(where: mask)
    e += stepE.kept(where: mask)
    let (output, new1, new2) = result(x)
    s1 = s1.replacing(with: new1, where: mask)
    s2 = s2.replacing(with: new2, where: mask)
    return output
  }

  /// What comes of `x`: the output and the new state.
  @_noLocks @_noAllocation @inline(__always)
  private func result(_ x: Lanes) -> (output: Lanes, s1: Lanes, s2: Lanes) {
    let u = (s1 - s2) + x
    let v = a * u
    return (x + e * u, v - s1, s2 + c * v)
  }

  @_noLocks @_noAllocation @inline(__always)
  func store(_ sections: UnsafeMutablePointer<LaneSections>) {
    sections.pointee.s1 = s1
    sections.pointee.s2 = s2
    sections.pointee.now.a = a
    sections.pointee.now.e = e
  }
}
