/// What four sections of the cascade are to become: the numbers that may be mixed with others on the way.
///
/// A section is a state-variable filter after Zavalishin and Simper (trapezoidal integrators):
///
///     v1 = (s1 + g (x − s2)) / (1 + g (g + k)),  v2 = s2 + g v1,  y = x + m1 v1 + m2 v2
///
/// with g = tan(π f / rate) and the damping k. Any mix of two sets with positive g and k is again a
/// passive filter, so a transition between any two settings is stable at every point.
struct LaneTarget {
  /// Integrator gain g; 0 in a lane without a section.
  var g: Lanes = .zero

  /// Damping k.
  var k: Lanes = .zero

  /// Share of the band-pass in the output, (m1 + m2 g) / 2; exactly 0 at 0 dB.
  var n: Lanes = .zero

  /// Share of the scaled low-pass state in the output, m2 / g; exactly 0 at 0 dB and in bells.
  var p: Lanes = .zero

  /// The normalisation 2 / (1 + g (g + k)).
  var a: Lanes {
    @_noLocks @_noAllocation @inline(__always) get { 2 / (1 + g * (g + k)) }
  }

  /// Whether any number differs from that of `other`.
  @_noLocks @_noAllocation @inline(__always)
  func differs(from other: LaneTarget) -> Bool {
    any((g .!= other.g) .| (k .!= other.k) .| (n .!= other.n) .| (p .!= other.p))
  }

  /// The set that lies `share` of the way from `start` to `end`; exactly `start` if both are equal.
  @_noLocks @_noAllocation @inline(__always)
  static func between(_ start: LaneTarget, _ end: LaneTarget, share: Float) -> LaneTarget {
    LaneTarget(
      g: start.g + (end.g - start.g) * share,
      k: start.k + (end.k - start.k) * share,
      n: start.n + (end.n - start.n) * share,
      p: start.p + (end.p - start.p) * share)
  }
}
