/// The rule POGO, "prescription of gain and output" (see ``PrescriptionRule/pogo``).
enum POGO {
  /// The correction k in dB. Between the frequencies of the table, k is linear in the logarithm of
  /// frequency. Outside the table, k is constant.
  static let corrections = FrequencyTable(frequencies: [250, 500, 750], values: [-10, -5, 0])

  /// The hearing loss in dB HL above which POGO II adds gain.
  static let severeLoss = 65.0

  static func gain(forLoss loss: Double, at frequency: Double) -> Double {
    0.5 * loss + corrections.value(at: frequency)
  }
}

extension PrescriptionRule {
  /// Half gain ("half-gain"): the gain is half of the hearing loss.
  ///
  /// Gain = max(0, 0.5 H), where H is the threshold in dB HL. Source: Lybarger 1944.
  public static let halfGain = linear(name: "half-gain", version: 1) { audiogram in
    { 0.5 * audiogram.threshold(at: $0) }
  }

  /// POGO ("pogo"): the gain is half of the hearing loss, but is lower below 750 Hz.
  ///
  /// Gain = max(0, 0.5 H + k), where H is the threshold in dB HL. The correction k is -10 dB at 250
  /// Hz, -5 dB at 500 Hz, and 0 dB at 750 Hz and above. Source: McCandless & Lyregaard 1983.
  public static let pogo = linear(
    name: "pogo", version: 1, tableFrequencies: POGO.corrections.frequencies
  ) { audiogram in
    { POGO.gain(forLoss: audiogram.threshold(at: $0), at: $0) }
  }

  /// POGO II ("pogo-ii"): POGO with more gain for severe losses.
  ///
  /// Gain = max(0, 0.5 H + k + 0.5 max(0, H - 65)). H and k have the same meaning as in ``pogo``.
  /// Source: Schwartz, Lyregaard & Lundh 1988.
  public static let pogoII = linear(
    name: "pogo-ii", version: 1, tableFrequencies: POGO.corrections.frequencies,
    kinkLosses: [POGO.severeLoss]
  ) { audiogram in
    { frequency in
      let loss = audiogram.threshold(at: frequency)
      return POGO.gain(forLoss: loss, at: frequency) + 0.5 * max(0, loss - POGO.severeLoss)
    }
  }
}
