/// What four sections of the cascade are, or are to become.
struct LaneTarget {
  /// Gain of each section: half the logarithm to base 2 of its amplitude ratio, dB / 12.04.
  var gain: Float4

  /// The coefficients that give it.
  var coefficients: LaneCoefficients

  @_noLocks @_noAllocation @inline(__always)
  init(gain: Float4 = .zero, coefficients: LaneCoefficients = LaneCoefficients()) {
    self.gain = gain
    self.coefficients = coefficients
  }
}
