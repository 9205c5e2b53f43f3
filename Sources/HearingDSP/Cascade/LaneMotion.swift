/// Where four sections are on their way from one target to another.
struct LaneMotion {
  /// The gains with which the transition began, as in ``LaneTarget/gain``.
  var start: Float4 = .zero
  /// The gains reached at the last sub-block edge.
  var reached: Float4 = .zero
  /// The point at the next sub-block edge; up to there the coefficients run straight.
  var next = LaneTarget()
}
