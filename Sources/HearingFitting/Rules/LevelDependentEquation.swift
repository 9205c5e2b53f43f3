/// A prescription whose gain depends on the input level.
struct LevelDependentEquation: Sendable {
  /// What the input level of `gain` is the level of.
  var levelReference: LevelReference
  /// The gain in dB at a frequency in Hz and an input level in dB SPL; never negative.
  var gain: @Sendable (_ audiogram: Audiogram, _ frequency: Double, _ inputLevel: Double) -> Double
  /// The gain in dB over level in the band, in dB SPL, for one of ``PrescriptionBands``, as a
  /// preset needs it: with every kink a point, and with whatever a preset adds to the equation.
  var bandCurve: @Sendable (_ audiogram: Audiogram, _ band: Int) -> PiecewiseLine
}
