/// One channel through sections whose coefficients move with every sample.
///
/// The arithmetic per sample is that of the settled cascade; only where the coefficients come from differs.
enum MovingCascade {
  /// Filters `count` samples in place and moves the coefficients on by as many steps.
  ///
  /// - Parameter depth: sections per lane, 1…3; `sections` and `motion` are arrays of that many.
  @_noLocks @_noAllocation
  static func run(
    depth: Int, samples: UnsafeMutablePointer<Float>, count: Int,
    sections: UnsafeMutablePointer<LaneSections>, motion: UnsafeMutablePointer<LaneMotion>
  ) {
    var y = Lanes.zero
    var step = 0
    while step < count + LaneSkew.length {
      let input = step < count ? samples[step] : 0
      var x = Lanes(input, y[0], y[1], y[2])
      let mask = LaneSkew.lanes(atStep: step, of: count)
      var index = 0
      while index < depth {
        x = advance(sections + index, motion + index, mask, x)
        index += 1
      }
      y = x
      if step >= LaneSkew.length { samples[step - LaneSkew.length] = y[3] }
      step += 1
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func advance(
    _ sections: UnsafeMutablePointer<LaneSections>, _ motion: UnsafeMutablePointer<LaneMotion>,
    _ mask: SIMDMask<SIMD4<Int32>>, _ x: Lanes
  ) -> Lanes {
    var moved = sections.pointee
    moved.a += motion.pointee.a
    moved.g += motion.pointee.g
    moved.n += motion.pointee.n
    moved.p += motion.pointee.p
    moved.derive()
    let old = sections.pointee
    let q = old.s1 - old.t2
    let v = moved.a * q + moved.b * x
    let y = moved.d * x + (moved.e * q + moved.p * old.t2)
    sections.pointee.s1 = old.s1.replacing(with: v - old.s1, where: mask)
    sections.pointee.t2 = old.t2.replacing(with: old.t2 + moved.c * v, where: mask)
    sections.pointee.a = old.a.replacing(with: moved.a, where: mask)
    sections.pointee.g = old.g.replacing(with: moved.g, where: mask)
    sections.pointee.n = old.n.replacing(with: moved.n, where: mask)
    sections.pointee.p = old.p.replacing(with: moved.p, where: mask)
    return y
  }
}
