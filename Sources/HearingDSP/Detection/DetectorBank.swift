/// The band-passes of a pair of channels that hear the input beside the signal path.
///
/// Two channels at a time, because one alone waits for its own results.
enum DetectorBank {
  /// Listens to `count` samples of both channels, the first of them `offset` samples after the last
  /// sub-block edge.
  ///
  /// Only every second sample's squares are added up: band-pass and quadrature together hardly
  /// change from one to the next.
  ///
  /// - Parameter depth: vectors of four detectors a channel, 1…3.
  @_noLocks @_noAllocation
  static func listen(
    depth: Int, left: UnsafePointer<Float>, right: UnsafePointer<Float>, count: Int, offset: Int,
    leftDetectors: UnsafeMutablePointer<DetectorLanes>,
    rightDetectors: UnsafeMutablePointer<DetectorLanes>
  ) {
    if depth == 3 {
      triple(left, right, count, offset, leftDetectors, rightDetectors)
      return
    }
    for vector in 0..<depth {
      single(left, right, count, offset, leftDetectors + vector, rightDetectors + vector)
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func single(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int, _ offset: Int,
    _ l: UnsafeMutablePointer<DetectorLanes>, _ r: UnsafeMutablePointer<DetectorLanes>
  ) {
    var l0 = l[0].state
    var r0 = r[0].state
    var index = 0
    if offset & 1 != 0 && index < count {
      l0.count(left[index], l)
      r0.count(right[index], r)
      index += 1
    }
    while index + 2 <= count {
      l0.hear(left[index], l)
      r0.hear(right[index], r)
      l0.count(left[index + 1], l)
      r0.count(right[index + 1], r)
      index += 2
    }
    if index < count {
      l0.hear(left[index], l)
      r0.hear(right[index], r)
    }
    l[0].state = l0
    r[0].state = r0
  }

  /// Three vectors a channel side by side.
  @_noLocks @_noAllocation @inline(__always)
  private static func triple(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int, _ offset: Int,
    _ l: UnsafeMutablePointer<DetectorLanes>, _ r: UnsafeMutablePointer<DetectorLanes>
  ) {
    var l0 = l[0].state
    var r0 = r[0].state
    var l1 = l[1].state
    var r1 = r[1].state
    var l2 = l[2].state
    var r2 = r[2].state
    var index = 0
    if offset & 1 != 0 && index < count {
      l0.count(left[index], l)
      r0.count(right[index], r)
      l1.count(left[index], l + 1)
      r1.count(right[index], r + 1)
      l2.count(left[index], l + 2)
      r2.count(right[index], r + 2)
      index += 1
    }
    while index + 2 <= count {
      l0.hear(left[index], l)
      r0.hear(right[index], r)
      l1.hear(left[index], l + 1)
      r1.hear(right[index], r + 1)
      l2.hear(left[index], l + 2)
      r2.hear(right[index], r + 2)
      l0.count(left[index + 1], l)
      r0.count(right[index + 1], r)
      l1.count(left[index + 1], l + 1)
      r1.count(right[index + 1], r + 1)
      l2.count(left[index + 1], l + 2)
      r2.count(right[index + 1], r + 2)
      index += 2
    }
    if index < count {
      l0.hear(left[index], l)
      r0.hear(right[index], r)
      l1.hear(left[index], l + 1)
      r1.hear(right[index], r + 1)
      l2.hear(left[index], l + 2)
      r2.hear(right[index], r + 2)
    }
    l[0].state = l0
    r[0].state = r0
    l[1].state = l1
    r[1].state = r1
    l[2].state = l2
    r[2].state = r2
  }
}
