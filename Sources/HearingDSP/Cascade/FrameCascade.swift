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
    var done = 0
    while done < vectors {
      let end = min(done + LaneSections.mostAtOnce, vectors)
      var index = 0
      while index < count {
        var (y, z) = (left[index], right[index])
        if isMoving {
          for vector in done..<end {
            leftSections[vector].move(areBells: vector > 0)
            rightSections[vector].move(areBells: vector > 0)
          }
        }
        // The last lane filters first, as in a skewed run.
        var lane = LaneSkew.length
        while lane >= 0 {
          for vector in done..<end {
            let one = LaneSection(leftSections + vector, lane: lane)
            let other = LaneSection(rightSections + vector, lane: lane)
            let isBell = vector > 0
            y = isMoving ? one.moved(y, isBell: isBell) : one.settled(y, isBell: isBell)
            z = isMoving ? other.moved(z, isBell: isBell) : other.settled(z, isBell: isBell)
          }
          lane -= 1
        }
        left[index] = y
        right[index] = z
        index += 1
      }
      done = end
    }
  }
}
