internal import HearingBuffers

/// The state and the coefficients of four sections of one channel.
struct SectionStates {
  /// The filter state s1 / g in the equations of ``SectionCoefficients``.
  var s1: Float4 = .zero
  /// The filter state s2 in the equations of ``SectionCoefficients``.
  var s2: Float4 = .zero

  /// The current coefficients.
  var now = SectionCoefficients()

  /// Sets all filter states to 0.
  mutating func clear() {
    s1 = .zero
    s2 = .zero
  }

  /// Whether all filter states are finite numbers.
  var isFinite: Bool {
    // x − x is NaN if x is NaN or infinite.
    let difference = (s1 - s1) + (s2 - s2)
    return difference[0] == 0 && difference[1] == 0 && difference[2] == 0 && difference[3] == 0
  }
}
