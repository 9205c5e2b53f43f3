/// A prescription whose gain does not depend on the input level.
///
/// The gain is a straight line on log frequency between neighbouring places among the audiogram's
/// points, `tableFrequencies` and wherever the hearing loss passes one of `kinkLosses`. With those
/// places a preset holds the whole of the prescription.
struct LinearEquation: Sendable {
  /// Where the rule's own tables bend, in Hz.
  var tableFrequencies: [Double] = []
  /// Hearing losses in dB HL at which the growth of gain with loss changes.
  var kinkLosses: [Double] = []
  /// For an audiogram, the gain in dB over frequency in Hz, negative where the equation says so.
  var gain: @Sendable (_ audiogram: Audiogram) -> (_ frequency: Double) -> Double

  /// All places, in Hz, that must be known to know the gain everywhere.
  func places(for audiogram: Audiogram) -> [Double] {
    var places = PrescriptionBands.centers + tableFrequencies + audiogram.points.map(\.frequency)
    for loss in kinkLosses {
      places += audiogram.crossings(of: loss).map(\.roundedToMillionth)
    }
    return Set(places).sorted()
  }
}
