/// What four sections of the cascade are, or are to become.
///
/// A section is a state-variable filter after Zavalishin and Simper (trapezoidal integrators):
///
///     v1 = (s1 + g (x − s2)) / (1 + g (g + k)),  v2 = s2 + g v1,  y = x + m1 v1 + m2 v2
///
/// with g = tan(π f / rate) and the damping k. With positive g and k it is passive, so moving
/// coefficients cannot make it unstable.
struct LaneTarget {
  /// Gain of each section: half the logarithm to base 2 of its amplitude ratio, dB / 12.04.
  var gain: Lanes

  /// Integrator gain g; 0 in a lane without a section.
  var g: Lanes

  /// Damping k.
  var k: Lanes

  /// Share of the band-pass in the output, (m1 + m2 g) / 2; exactly 0 at 0 dB.
  var n: Lanes

  /// Share of the scaled low-pass state in the output, m2 / g; exactly 0 at 0 dB and in bells.
  var p: Lanes

  /// Four lanes of these numbers; by default without a section.
  @_noLocks @_noAllocation @inline(__always)
  init(
    gain: Lanes = .zero, g: Lanes = .zero, k: Lanes = .zero, n: Lanes = .zero, p: Lanes = .zero
  ) {
    self.gain = gain
    self.g = g
    self.k = k
    self.n = n
    self.p = p
  }

  /// The normalisation 2 / (1 + g (g + k)).
  var a: Lanes {
    @_noLocks @_noAllocation @inline(__always) get { 2 / (1 + g * (g + k)) }
  }

  /// Whether any number differs from that of `other`.
  @_noLocks @_noAllocation @inline(__always)
  func differs(from other: LaneTarget) -> Bool {
    any(
      (gain .!= other.gain) .| (g .!= other.g) .| (k .!= other.k) .| (n .!= other.n)
        .| (p .!= other.p))
  }
}
