/// A pair of channels through sections, one frame at a time and one section after another.
///
/// For runs too short to be skewed across the lanes; the results are bit-identical to those of
/// ``Cascade``.
enum FrameCascade {
  /// Filters `count` samples of both channels in place, as ``Cascade`` does.
  @_noLocks @_noAllocation
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
            y = one.moved(y, isBell: vector > 0)
            z = other.moved(z, isBell: vector > 0)
          } else {
            y = one.settled(y, isBell: vector > 0)
            z = other.settled(z, isBell: vector > 0)
          }
        }
        lane -= 1
      }
      left[index] = y
      right[index] = z
      index += 1
    }
  }
}
