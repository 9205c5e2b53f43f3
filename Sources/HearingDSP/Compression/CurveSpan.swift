internal import HearingBuffers

/// The gain curve of one band: a range of straight segments in
/// ``CompressorStage/Settings/segments``.
struct CurveSpan {
  var first: Int32 = 0
  var count: Int32 = 1

  /// The gain in dB at `level` in dB SPL. The level must be in the level range of the curve.
  ///
  /// - Parameter lastSegment: the index of the segment that the previous call used, counted from
  ///   `first`. In most cases, `level` is in the same segment as in the previous call. If `level`
  ///   is in a different segment, a binary search finds the segment, and the function writes the
  ///   new index to `lastSegment`.
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

/// One straight segment of a gain curve.
struct CurveSegment {
  /// The level in dB SPL at the start of the segment.
  var level: Float
  /// The gain in dB at the start of the segment.
  var gain: Float
  /// The slope of the segment: the change of the gain in dB per dB of level.
  var slope: Float
}
