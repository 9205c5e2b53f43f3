/// How four sections move during a transition of settings.
///
/// Each sub-block has a point on the way as its end; within it the coefficients run straight.
struct LaneMotion {
  /// The gains with which the transition began.
  var startGain: Lanes = .zero
  /// The point reached at the last sub-block edge.
  var reached = LaneTarget()
  /// The point at the next sub-block edge.
  var next = LaneTarget()

  /// Changes per sample.
  var a: Lanes = .zero
  var g: Lanes = .zero
  var n: Lanes = .zero
  var p: Lanes = .zero

  /// Begins a sub-block that ends at `next`; `stride` is 1 / its length.
  @_noLocks @_noAllocation @inline(__always)
  mutating func head(for next: LaneTarget, from sections: LaneSections, stride: Float) {
    self.next = next
    a = (next.a - sections.a) * stride
    g = (next.g - sections.g) * stride
    n = (next.n - sections.n) * stride
    p = (next.p - sections.p) * stride
  }
}
