/// A pair of channels through sections whose coefficients move with every sample.
enum MovingCascade {
  /// Filters `count` samples of both channels in place and moves the coefficients on by as many
  /// steps.
  ///
  /// - Parameter depth: sections per lane, 1…3; sections and motions are arrays of that many.
  @_noLocks @_noAllocation
  static func run(
    depth: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int,
    leftSections: UnsafeMutablePointer<LaneSections>,
    rightSections: UnsafeMutablePointer<LaneSections>,
    leftMotions: UnsafeMutablePointer<LaneMotion>, rightMotions: UnsafeMutablePointer<LaneMotion>
  ) {
    var leftOutput = Lanes.zero
    var rightOutput = Lanes.zero
    var step = 0
    while step < count + LaneSkew.length {
      if step >= LaneSkew.length && step < count {
        full(depth, left, step, leftSections, leftMotions, &leftOutput)
        full(depth, right, step, rightSections, rightMotions, &rightOutput)
      } else {
        edge(depth, left, step, count, leftSections, leftMotions, &leftOutput)
        edge(depth, right, step, count, rightSections, rightMotions, &rightOutput)
      }
      step += 1
    }
  }

  /// A step in which every lane has a sample.
  @_noLocks @_noAllocation @inline(__always)
  private static func full(
    _ depth: Int, _ samples: UnsafeMutablePointer<Float>, _ step: Int,
    _ sections: UnsafeMutablePointer<LaneSections>, _ motions: UnsafeMutablePointer<LaneMotion>,
    _ output: inout Lanes
  ) {
    var x = Lanes(samples[step], output[0], output[1], output[2])
    sections.pointee.g += motions.pointee.g
    sections.pointee.p += motions.pointee.p
    var index = 0
    while index < depth {
      sections[index].a += motions[index].a
      sections[index].n += motions[index].n
      x = filter(&sections[index], x)
      index += 1
    }
    output = x
    samples[step - LaneSkew.length] = x[3]
  }

  /// A step at the start or end of a run, in which some lanes have no sample and keep what they
  /// have.
  @_noLocks @_noAllocation @inline(__always)
  private static func edge(
    _ depth: Int, _ samples: UnsafeMutablePointer<Float>, _ step: Int, _ count: Int,
    _ sections: UnsafeMutablePointer<LaneSections>, _ motions: UnsafeMutablePointer<LaneMotion>,
    _ output: inout Lanes
  ) {
    let mask = LaneSkew.lanes(atStep: step, of: count)
    let input = step < count ? samples[step] : 0
    var x = Lanes(input, output[0], output[1], output[2])
    var index = 0
    while index < depth {
      let old = sections[index]
      sections[index].a = old.a.replacing(with: old.a + motions[index].a, where: mask)
      sections[index].g = old.g.replacing(with: old.g + motions[index].g, where: mask)
      sections[index].n = old.n.replacing(with: old.n + motions[index].n, where: mask)
      sections[index].p = old.p.replacing(with: old.p + motions[index].p, where: mask)
      x = filter(&sections[index], x)
      sections[index].s1 = old.s1.replacing(with: sections[index].s1, where: mask)
      sections[index].t2 = old.t2.replacing(with: sections[index].t2, where: mask)
      index += 1
    }
    output = x
    if step >= LaneSkew.length { samples[step - LaneSkew.length] = x[3] }
  }

  /// One sample through four sections.
  @_noLocks @_noAllocation @inline(__always)
  private static func filter(_ sections: inout LaneSections, _ x: Lanes) -> Lanes {
    let bandPass = sections.n * sections.a
    let q = sections.s1 - sections.t2
    let v = sections.a * (q + sections.g * x)
    let direct = 1 + bandPass * sections.g
    let y = direct * x + (bandPass * q + sections.p * sections.t2)
    sections.s1 = v - sections.s1
    sections.t2 = sections.t2 + sections.g * sections.g * v
    return y
  }
}
