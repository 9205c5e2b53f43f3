/// Four bells whose coefficients rest: their output has no low-pass in it.
struct SettledBells: CascadeStage {
  private var s1: Lanes
  private var s2: Lanes
  private let a: Lanes
  private let c: Lanes
  private let d: Lanes
  private let e: Lanes

  @_noLocks @_noAllocation @inline(__always)
  init(_ sections: UnsafeMutablePointer<LaneSections>) {
    s1 = sections.pointee.s1
    s2 = sections.pointee.s2
    a = sections.pointee.now.a
    c = sections.pointee.now.c * sections.pointee.now.a
    d = 1 + sections.pointee.now.e
    e = sections.pointee.now.e
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func filter(_ x: Lanes) -> Lanes {
    let output: Lanes
    (output, s1, s2) = result(x)
    return output
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func filter(_ x: Lanes, where mask: SIMDMask<SIMD4<Int32>>) -> Lanes {
    let (output, new1, new2) = result(x)
    s1 = s1.replacing(with: new1, where: mask)
    s2 = s2.replacing(with: new2, where: mask)
    return output
  }

  /// What comes of `x`: the output and the new state.
  @_noLocks @_noAllocation @inline(__always)
  private func result(_ x: Lanes) -> (output: Lanes, s1: Lanes, s2: Lanes) {
    let q = s1 - s2
    let u = q + x
    return (d * x + e * q, a * u - s1, s2 + c * u)
  }

  @_noLocks @_noAllocation @inline(__always)
  func store(_ sections: UnsafeMutablePointer<LaneSections>) {
    sections.pointee.s1 = s1
    sections.pointee.s2 = s2
  }
}
