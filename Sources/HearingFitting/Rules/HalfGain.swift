extension PrescriptionRule {
  /// Half gain: half the hearing loss, "half-gain".
  ///
  /// Gain = 0.5 H, with H the threshold in dB HL. Source: Lybarger 1944.
  public static let halfGain = PrescriptionRule(
    name: "half-gain", version: 1,
    equation: .linear(LinearEquation { audiogram in { 0.5 * audiogram.threshold(at: $0) } }))
}

/// POGO, prescription of gain and output (see ``PrescriptionRule/pogo``).
enum POGO {
  /// k in dB: linear on log frequency, held outside the table.
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
