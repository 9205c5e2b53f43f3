/// POGO, prescription of gain and output, and its extension for severe losses.
///
/// With H the threshold in dB HL:
///
///     POGO     0.5 H + k         k = -10 dB at 250 Hz, -5 at 500 Hz, 0 from 750 Hz
///     POGO II  POGO + 0.5 max(0, H - 65)
///
/// k is a straight line on log frequency in between and held below 250 Hz; no gain is below 0.
enum POGO {
  static let corrections = FrequencyTable(frequencies: [250, 500, 750], values: [-10, -5, 0])

  /// The loss in dB HL above which POGO II prescribes all of what is added.
  static let severeLoss = 65.0

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

  /// POGO II: POGO with more gain for severe losses, "pogo-ii".
  ///
  /// Gain = POGO + 0.5 max(0, H - 65), with H the threshold in dB HL; never below 0.
  /// Source: Schwartz, Lyregaard & Lundh 1988.
  public static let pogoII = PrescriptionRule(
    name: "pogo-ii", version: 1,
    equation: .linear(
      LinearEquation(
        tableFrequencies: POGO.corrections.frequencies,
        kinkLosses: [POGO.severeLoss],
        gain: { audiogram in
          { frequency in
            let loss = audiogram.threshold(at: frequency)
            return POGO.gain(forLoss: loss, at: frequency) + 0.5 * max(0, loss - POGO.severeLoss)
          }
        })))
}
