/// A pair of channels through sections whose coefficients rest.
///
/// Two channels at a time, because one alone waits for its own results: the second comes almost
/// free. State is held in local variables while the samples pass; one loop per depth, because only
/// then does it stay there.
enum SettledCascade {
  /// Filters `count` samples of both channels in place.
  ///
  /// - Parameter depth: sections per lane, 1…3; both arrays of sections have that many.
  @_noLocks @_noAllocation
  static func run(
    depth: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int,
    leftSections: UnsafeMutablePointer<LaneSections>,
    rightSections: UnsafeMutablePointer<LaneSections>
  ) {
    var leftOutput = Lanes.zero
    var rightOutput = Lanes.zero
    var step = 0
    while step < LaneSkew.length {
      edge(depth, left, step, count, leftSections, &leftOutput)
      edge(depth, right, step, count, rightSections, &rightOutput)
      step += 1
    }
    if count > step {
      switch depth {
      case 1: single(left, right, count, leftSections, rightSections, &leftOutput, &rightOutput)
      case 2: double(left, right, count, leftSections, rightSections, &leftOutput, &rightOutput)
      default: triple(left, right, count, leftSections, rightSections, &leftOutput, &rightOutput)
      }
      step = count
    }
    while step < count + LaneSkew.length {
      edge(depth, left, step, count, leftSections, &leftOutput)
      edge(depth, right, step, count, rightSections, &rightOutput)
      step += 1
    }
  }

  /// A step at the start or end of a run, in which some lanes have no sample and keep their state.
  @_noLocks @_noAllocation @inline(__always)
  private static func edge(
    _ depth: Int, _ samples: UnsafeMutablePointer<Float>, _ step: Int, _ count: Int,
    _ sections: UnsafeMutablePointer<LaneSections>, _ output: inout Lanes
  ) {
    let mask = LaneSkew.lanes(atStep: step, of: count)
    let input = step < count ? samples[step] : 0
    var x = Lanes(input, output[0], output[1], output[2])
    var index = 0
    while index < depth {
      let old = (sections[index].s1, sections[index].t2)
      var (s1, t2) = old
      x = filter(sections + index, &s1, &t2, x)
      sections[index].s1 = old.0.replacing(with: s1, where: mask)
      sections[index].t2 = old.1.replacing(with: t2, where: mask)
      index += 1
    }
    output = x
    if step >= LaneSkew.length { samples[step - LaneSkew.length] = x[3] }
  }

  /// The steps in which every lane has a sample, four sections a channel.
  @_noLocks @_noAllocation @inline(__always)
  private static func single(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    _ l: UnsafeMutablePointer<LaneSections>, _ r: UnsafeMutablePointer<LaneSections>,
    _ leftOutput: inout Lanes, _ rightOutput: inout Lanes
  ) {
    var (ls, lt) = (l[0].s1, l[0].t2)
    var (rs, rt) = (r[0].s1, r[0].t2)
    var (y, z) = (leftOutput, rightOutput)
    var step = LaneSkew.length
    while step < count {
      y = filter(l, &ls, &lt, Lanes(left[step], y[0], y[1], y[2]))
      z = filter(r, &rs, &rt, Lanes(right[step], z[0], z[1], z[2]))
      left[step - LaneSkew.length] = y[3]
      right[step - LaneSkew.length] = z[3]
      step += 1
    }
    (l[0].s1, l[0].t2) = (ls, lt)
    (r[0].s1, r[0].t2) = (rs, rt)
    (leftOutput, rightOutput) = (y, z)
  }

  /// The same with eight sections a channel.
  @_noLocks @_noAllocation @inline(__always)
  private static func double(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    _ l: UnsafeMutablePointer<LaneSections>, _ r: UnsafeMutablePointer<LaneSections>,
    _ leftOutput: inout Lanes, _ rightOutput: inout Lanes
  ) {
    var (ls0, lt0, ls1, lt1) = (l[0].s1, l[0].t2, l[1].s1, l[1].t2)
    var (rs0, rt0, rs1, rt1) = (r[0].s1, r[0].t2, r[1].s1, r[1].t2)
    var (y, z) = (leftOutput, rightOutput)
    var step = LaneSkew.length
    while step < count {
      y = filter(l, &ls0, &lt0, Lanes(left[step], y[0], y[1], y[2]))
      z = filter(r, &rs0, &rt0, Lanes(right[step], z[0], z[1], z[2]))
      y = filterBells(l + 1, &ls1, &lt1, y)
      z = filterBells(r + 1, &rs1, &rt1, z)
      left[step - LaneSkew.length] = y[3]
      right[step - LaneSkew.length] = z[3]
      step += 1
    }
    (l[0].s1, l[0].t2, l[1].s1, l[1].t2) = (ls0, lt0, ls1, lt1)
    (r[0].s1, r[0].t2, r[1].s1, r[1].t2) = (rs0, rt0, rs1, rt1)
    (leftOutput, rightOutput) = (y, z)
  }

  /// The same with twelve sections a channel.
  @_noLocks @_noAllocation @inline(__always)
  private static func triple(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    _ l: UnsafeMutablePointer<LaneSections>, _ r: UnsafeMutablePointer<LaneSections>,
    _ leftOutput: inout Lanes, _ rightOutput: inout Lanes
  ) {
    var (ls0, lt0, ls1, lt1) = (l[0].s1, l[0].t2, l[1].s1, l[1].t2)
    var (rs0, rt0, rs1, rt1) = (r[0].s1, r[0].t2, r[1].s1, r[1].t2)
    var (ls2, lt2) = (l[2].s1, l[2].t2)
    var (rs2, rt2) = (r[2].s1, r[2].t2)
    var (y, z) = (leftOutput, rightOutput)
    var step = LaneSkew.length
    while step < count {
      y = filter(l, &ls0, &lt0, Lanes(left[step], y[0], y[1], y[2]))
      z = filter(r, &rs0, &rt0, Lanes(right[step], z[0], z[1], z[2]))
      y = filterBells(l + 1, &ls1, &lt1, y)
      z = filterBells(r + 1, &rs1, &rt1, z)
      y = filterBells(l + 2, &ls2, &lt2, y)
      z = filterBells(r + 2, &rs2, &rt2, z)
      left[step - LaneSkew.length] = y[3]
      right[step - LaneSkew.length] = z[3]
      step += 1
    }
    (l[0].s1, l[0].t2, l[1].s1, l[1].t2) = (ls0, lt0, ls1, lt1)
    (r[0].s1, r[0].t2, r[1].s1, r[1].t2) = (rs0, rt0, rs1, rt1)
    (l[2].s1, l[2].t2) = (ls2, lt2)
    (r[2].s1, r[2].t2) = (rs2, rt2)
    (leftOutput, rightOutput) = (y, z)
  }

  /// One sample through four sections with both band-pass and low-pass in the output.
  @_noLocks @_noAllocation @inline(__always)
  private static func filter(
    _ sections: UnsafeMutablePointer<LaneSections>, _ s1: inout Lanes, _ t2: inout Lanes, _ x: Lanes
  ) -> Lanes {
    let q = s1 - t2
    let v = sections.pointee.a * q + x
    let y = sections.pointee.d * x + (sections.pointee.e * q + sections.pointee.f * t2)
    s1 = v - s1
    t2 = t2 + sections.pointee.c * v
    return y
  }

  /// One sample through four bells, whose output has no low-pass in it.
  @_noLocks @_noAllocation @inline(__always)
  private static func filterBells(
    _ sections: UnsafeMutablePointer<LaneSections>, _ s1: inout Lanes, _ t2: inout Lanes, _ x: Lanes
  ) -> Lanes {
    let q = s1 - t2
    let v = sections.pointee.a * q + x
    let y = sections.pointee.d * x + sections.pointee.e * q
    s1 = v - s1
    t2 = t2 + sections.pointee.c * v
    return y
  }
}
