/// POGO II (see ``PrescriptionRule/pogoII``).
enum POGOII {
  /// The loss in dB HL above which gain is added.
  static let severeLoss = 65.0
}

extension PrescriptionRule {
  /// POGO II: POGO with more gain for severe losses, "pogo-ii".
  ///
  /// Gain = POGO + 0.5 max(0, H - 65), with H the threshold in dB HL; never below 0.
  /// Source: Schwartz, Lyregaard & Lundh 1988.
  public static let pogoII = PrescriptionRule(
    name: "pogo-ii", version: 1,
    equation: .linear(
      LinearEquation(
        tableFrequencies: POGO.corrections.frequencies,
        kinkLosses: [POGOII.severeLoss],
        gain: { audiogram in
          { frequency in
            let loss = audiogram.threshold(at: frequency)
            return POGO.gain(forLoss: loss, at: frequency) + 0.5 * max(0, loss - POGOII.severeLoss)
          }
        })))
}
