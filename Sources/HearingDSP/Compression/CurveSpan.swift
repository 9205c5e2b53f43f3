internal import HearingBuffers

/// The range of a slot's segments that form the curve of one band.
struct CurveSpan {
  var first: Int32 = 0
  var count: Int32 = 1

  /// The gain in dB at `level`, which lies within the curve's ends.
  ///
  /// - Parameter lastSegment: The segment used last, counted from `first`. In most cases `level`
  ///   lies on it; otherwise a binary search of at most nine steps finds the new segment and stores
  ///   it here.
  func gain(
    at level: Float, _ segments: Row<CurveSegment>, lastSegment: Row<Int32>
  ) -> Float {
    let curve = segments.from(Int(first))
    var low = lastSegment[0]
    let isBelow = level < curve[Int(low)].level
    let isAbove = low + 1 < count && level >= curve[Int(low) + 1].level
    if isBelow || isAbove {
      low = 0
      var end = count
      while end - low > 1 {
        let middle = (low + end) / 2
        if level < curve[Int(middle)].level { end = middle } else { low = middle }
      }
      lastSegment[0] = low
    }
    let segment = curve[Int(low)]
    return segment.gain + segment.slope * (level - segment.level)
  }
}

/// One straight segment of a gain curve, from a level upwards.
struct CurveSegment {
  /// The level in dB SPL at which it begins.
  var level: Float
  /// The gain in dB there.
  var gain: Float
  /// The change of gain with level, in dB per dB.
  var slope: Float
}
