extension PrescriptionRule {
  /// Half gain: half the hearing loss, "half-gain".
  ///
  /// Gain = 0.5 H, with H the threshold in dB HL. Source: Lybarger 1944.
  public static let halfGain = PrescriptionRule(
    name: "half-gain", version: 1,
    equation: .linear(LinearEquation { audiogram in { 0.5 * audiogram.threshold(at: $0) } }))
}
