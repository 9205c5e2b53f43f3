/// CAMFIT linear: speech at 65 dB SPL equally loud in all bands (see
/// ``PrescriptionRule/camfitLinear``).
enum CAMFITLinear {
  static let intercepts = FrequencyTable(
    frequencies: [125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 5000],
    values: [-11, -10, -8, -6, 0, -1, 1, -1, 0, 1])

  /// 0.48 H + i over frequency, negative where it is; 0 throughout for an audiogram of zeros.
  static func gain(for audiogram: Audiogram) -> (_ frequency: Double) -> Double {
    if audiogram.points.allSatisfy({ $0.threshold == 0 }) { return { _ in 0 } }
    return { 0.48 * audiogram.threshold(at: $0) + intercepts.value(at: $0) }
  }
}

extension PrescriptionRule {
  /// CAMFIT linear, the Cambridge formula: speech at 65 dB SPL equally loud in all bands,
  /// "camfit-linear".
  ///
  /// Gain = max(0, 0.48 H + i), with H the threshold in dB HL and i = -11 -10 -8 -6 0 -1 +1 -1 0 +1
  /// dB at 125 250 500 750 1k 1.5k 2k 3k 4k Hz and from 5 kHz; an audiogram of zeros gets 0.
  /// Source: Moore & Glasberg 1998.
  public static let camfitLinear = PrescriptionRule(
    name: "camfit-linear", version: 1,
    equation: .linear(
      LinearEquation(
        tableFrequencies: CAMFITLinear.intercepts.frequencies,
        gain: { CAMFITLinear.gain(for: $0) })))
}
