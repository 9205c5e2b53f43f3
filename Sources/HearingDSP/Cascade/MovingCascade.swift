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
    while step < LaneSkew.length {
      edge(depth, left, step, count, leftSections, leftMotions, &leftOutput)
      edge(depth, right, step, count, rightSections, rightMotions, &rightOutput)
      step += 1
    }
    if count > step {
      switch depth {
      case 1:
        single(
          left, right, count, leftSections, rightSections, leftMotions, rightMotions, &leftOutput,
          &rightOutput)
      case 2:
        double(
          left, right, count, leftSections, rightSections, leftMotions, rightMotions, &leftOutput,
          &rightOutput)
      default:
        triple(
          left, right, count, leftSections, rightSections, leftMotions, rightMotions, &leftOutput,
          &rightOutput)
      }
      step = count
    }
    while step < count + LaneSkew.length {
      edge(depth, left, step, count, leftSections, leftMotions, &leftOutput)
      edge(depth, right, step, count, rightSections, rightMotions, &rightOutput)
      step += 1
    }
  }

  /// The steps in which every lane has a sample, four sections a channel.
  @_noLocks @_noAllocation @inline(__always)
  private static func single(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    _ l: UnsafeMutablePointer<LaneSections>, _ r: UnsafeMutablePointer<LaneSections>,
    _ lm: UnsafeMutablePointer<LaneMotion>, _ rm: UnsafeMutablePointer<LaneMotion>,
    _ leftOutput: inout Lanes, _ rightOutput: inout Lanes
  ) {
    var (ls0, lt0) = (l[0].s1, l[0].t2)
    var (rs0, rt0) = (r[0].s1, r[0].t2)
    var (y, z) = (leftOutput, rightOutput)
    var step = LaneSkew.length
    while step < count {
      y = move(l, lm, &ls0, &lt0, LaneSkew.advanced(y, with: left[step]))
      z = move(r, rm, &rs0, &rt0, LaneSkew.advanced(z, with: right[step]))
      left[step - LaneSkew.length] = LaneSkew.last(y)
      right[step - LaneSkew.length] = LaneSkew.last(z)
      step += 1
    }
    (l[0].s1, l[0].t2) = (ls0, lt0)
    (r[0].s1, r[0].t2) = (rs0, rt0)
    (leftOutput, rightOutput) = (y, z)
  }

  /// The same with eight sections a channel.
  @_noLocks @_noAllocation @inline(__always)
  private static func double(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    _ l: UnsafeMutablePointer<LaneSections>, _ r: UnsafeMutablePointer<LaneSections>,
    _ lm: UnsafeMutablePointer<LaneMotion>, _ rm: UnsafeMutablePointer<LaneMotion>,
    _ leftOutput: inout Lanes, _ rightOutput: inout Lanes
  ) {
    var (ls0, lt0) = (l[0].s1, l[0].t2)
    var (rs0, rt0) = (r[0].s1, r[0].t2)
    var (ls1, lt1) = (l[1].s1, l[1].t2)
    var (rs1, rt1) = (r[1].s1, r[1].t2)
    var (y, z) = (leftOutput, rightOutput)
    var step = LaneSkew.length
    while step < count {
      y = move(l, lm, &ls0, &lt0, LaneSkew.advanced(y, with: left[step]))
      z = move(r, rm, &rs0, &rt0, LaneSkew.advanced(z, with: right[step]))
      y = moveBells(l + 1, lm + 1, &ls1, &lt1, y)
      z = moveBells(r + 1, rm + 1, &rs1, &rt1, z)
      left[step - LaneSkew.length] = LaneSkew.last(y)
      right[step - LaneSkew.length] = LaneSkew.last(z)
      step += 1
    }
    (l[0].s1, l[0].t2) = (ls0, lt0)
    (r[0].s1, r[0].t2) = (rs0, rt0)
    (l[1].s1, l[1].t2) = (ls1, lt1)
    (r[1].s1, r[1].t2) = (rs1, rt1)
    (leftOutput, rightOutput) = (y, z)
  }

  /// The same with twelve sections a channel.
  @_noLocks @_noAllocation @inline(__always)
  private static func triple(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    _ l: UnsafeMutablePointer<LaneSections>, _ r: UnsafeMutablePointer<LaneSections>,
    _ lm: UnsafeMutablePointer<LaneMotion>, _ rm: UnsafeMutablePointer<LaneMotion>,
    _ leftOutput: inout Lanes, _ rightOutput: inout Lanes
  ) {
    var (ls0, lt0) = (l[0].s1, l[0].t2)
    var (rs0, rt0) = (r[0].s1, r[0].t2)
    var (ls1, lt1) = (l[1].s1, l[1].t2)
    var (rs1, rt1) = (r[1].s1, r[1].t2)
    var (ls2, lt2) = (l[2].s1, l[2].t2)
    var (rs2, rt2) = (r[2].s1, r[2].t2)
    var (y, z) = (leftOutput, rightOutput)
    var step = LaneSkew.length
    while step < count {
      y = move(l, lm, &ls0, &lt0, LaneSkew.advanced(y, with: left[step]))
      z = move(r, rm, &rs0, &rt0, LaneSkew.advanced(z, with: right[step]))
      y = moveBells(l + 1, lm + 1, &ls1, &lt1, y)
      z = moveBells(r + 1, rm + 1, &rs1, &rt1, z)
      y = moveBells(l + 2, lm + 2, &ls2, &lt2, y)
      z = moveBells(r + 2, rm + 2, &rs2, &rt2, z)
      left[step - LaneSkew.length] = LaneSkew.last(y)
      right[step - LaneSkew.length] = LaneSkew.last(z)
      step += 1
    }
    (l[0].s1, l[0].t2) = (ls0, lt0)
    (r[0].s1, r[0].t2) = (rs0, rt0)
    (l[1].s1, l[1].t2) = (ls1, lt1)
    (r[1].s1, r[1].t2) = (rs1, rt1)
    (l[2].s1, l[2].t2) = (ls2, lt2)
    (r[2].s1, r[2].t2) = (rs2, rt2)
    (leftOutput, rightOutput) = (y, z)
  }

  /// Moves four sections on by a step and takes one sample through them.
  @_noLocks @_noAllocation @inline(__always)
  private static func move(
    _ sections: UnsafeMutablePointer<LaneSections>, _ motion: UnsafeMutablePointer<LaneMotion>,
    _ s1: inout Lanes, _ t2: inout Lanes, _ x: Lanes
  ) -> Lanes {
    sections.pointee.a += motion.pointee.a
    sections.pointee.g += motion.pointee.g
    sections.pointee.n += motion.pointee.n
    sections.pointee.p += motion.pointee.p
    let bandPass = sections.pointee.n * sections.pointee.a
    let q = s1 - t2
    let v = sections.pointee.a * (q + sections.pointee.g * x)
    let direct = 1 + bandPass * sections.pointee.g
    let y = (direct * x + bandPass * q) + sections.pointee.p * t2
    s1 = v - s1
    t2 = t2 + sections.pointee.g * sections.pointee.g * v
    return y
  }

  /// The same with four bells, whose place stays and whose output has no low-pass in it.
  @_noLocks @_noAllocation @inline(__always)
  private static func moveBells(
    _ bells: UnsafeMutablePointer<LaneSections>, _ motion: UnsafeMutablePointer<LaneMotion>,
    _ s1: inout Lanes, _ t2: inout Lanes, _ x: Lanes
  ) -> Lanes {
    bells.pointee.a += motion.pointee.a
    bells.pointee.n += motion.pointee.n
    let bandPass = bells.pointee.n * bells.pointee.a
    let q = s1 - t2
    let v = bells.pointee.a * (q + bells.pointee.g * x)
    let direct = 1 + bandPass * bells.pointee.g
    let y = direct * x + bandPass * q
    s1 = v - s1
    t2 = t2 + bells.pointee.c * v
    return y
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
    let y = (direct * x + bandPass * q) + sections.p * sections.t2
    sections.s1 = v - sections.s1
    sections.t2 = sections.t2 + sections.g * sections.g * v
    return y
  }
}
