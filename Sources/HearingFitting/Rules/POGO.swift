/// POGO, prescription of gain and output (see ``PrescriptionRule/pogo``).
enum POGO {
  /// k in dB, a straight line on log frequency and held beyond its ends.
  static let corrections = FrequencyTable(frequencies: [250, 500, 750], values: [-10, -5, 0])

  static func gain(forLoss loss: Double, at frequency: Double) -> Double {
    0.5 * loss + corrections.value(at: frequency)
  }
}

extension PrescriptionRule {
  /// POGO: half the loss, less below 750 Hz, "pogo".
  ///
  /// Gain = 0.5 H + k, k = -10 dB at 250 Hz, -5 at 500 Hz, 0 from 750 Hz; never below 0.
  /// Source: McCandless & Lyregaard 1983.
  public static let pogo = PrescriptionRule(
    name: "pogo", version: 1,
    equation: .linear(
      LinearEquation(
        tableFrequencies: POGO.corrections.frequencies,
        gain: { audiogram in
          { POGO.gain(forLoss: audiogram.threshold(at: $0), at: $0) }
        })))
}
