/// A pair of channels through sections, one frame at a time and one section after another.
///
/// For runs too short to be skewed across the lanes; the results are bit-identical to those of
/// ``Cascade``.
enum FrameCascade {
  /// Filters `count` samples of both channels in place, as ``Cascade`` does.
  #if DEBUG
    // Without whole modules the compiler does not see into generic code in other files.
    @_semantics("no_performance_analysis")
  #else
    @_noLocks @_noAllocation
  #endif
  static func run(
    vectors: Int, isMoving: Bool, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, count: Int,
    leftSections: UnsafeMutablePointer<LaneSections>,
    rightSections: UnsafeMutablePointer<LaneSections>
  ) {
    var index = 0
    while index < count {
      if isMoving {
        for vector in 0..<vectors {
          leftSections[vector].move()
          rightSections[vector].move()
        }
      }
      var (y, z) = (left[index], right[index])
      // The last lane filters first, as in a skewed run.
      var lane = LaneSkew.length
      while lane >= 0 {
        for vector in 0..<vectors {
          let one = LaneSection(leftSections + vector, lane: lane)
          let other = LaneSection(rightSections + vector, lane: lane)
          if isMoving {
            y = moved(one, y, isBell: vector > 0)
            z = moved(other, z, isBell: vector > 0)
          } else {
            y = settled(one, y, isBell: vector > 0)
            z = settled(other, z, isBell: vector > 0)
          }
        }
        lane -= 1
      }
      left[index] = y
      right[index] = z
      index += 1
    }
  }

  /// A sample through a section whose coefficients have just moved.
  @inline(__always)
  private static func moved(_ section: LaneSection, _ x: Float, isBell: Bool) -> Float {
    let (s1, s2) = (section.s1, section.s2)
    let (a, c, e) = (section.a, section.c, section.e)
    let step =
      isBell
      ? SectionStep.movingBell(x, s1: s1, s2: s2, a: a, c: c, e: e)
      : SectionStep.moving(x, s1: s1, s2: s2, a: a, c: c, e: e, f: section.f)
    section.s1 = step.s1
    section.s2 = step.s2
    return step.output
  }

  /// A sample through a section whose coefficients rest.
  @inline(__always)
  private static func settled(_ section: LaneSection, _ x: Float, isBell: Bool) -> Float {
    let (s1, s2) = (section.s1, section.s2)
    let (a, c, e) = (section.a, section.c * section.a, section.e)
    let step =
      isBell
      ? SectionStep.settledBell(x, s1: s1, s2: s2, a: a, c: c, d: 1 + e, e: e)
      : SectionStep.settled(x, s1: s1, s2: s2, a: a, c: c, d: 1 + e, e: e, f: section.f)
    section.s1 = step.s1
    section.s2 = step.s2
    return step.output
  }
}
