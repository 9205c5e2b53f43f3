/// NAL-R, the revised procedure of the National Acoustic Laboratories (see
/// ``PrescriptionRule/nalR``).
enum NALR {
  static let frequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]

  /// k in dB, a straight line on log frequency and held beyond its ends.
  static let corrections = FrequencyTable(
    frequencies: frequencies, values: [-17, -8, -3, 1, 1, -1, -2, -2, -2])

  /// The mean loss in dB HL at 500 Hz, 1 and 2 kHz: A.
  static func averageLoss(of audiogram: Audiogram) -> Double {
    (audiogram.threshold(at: 500) + audiogram.threshold(at: 1000) + audiogram.threshold(at: 2000))
      / 3
  }

  /// The gain over frequency, negative where it is.
  static func gain(for audiogram: Audiogram) -> (_ frequency: Double) -> Double {
    let share = 0.15 * averageLoss(of: audiogram)
    return { share + 0.31 * audiogram.threshold(at: $0) + corrections.value(at: $0) }
  }
}

extension PrescriptionRule {
  /// NAL-R: equal loudness of all speech bands at a comfortable level, "nal-r".
  ///
  /// Gain = 0.15 A + 0.31 H + k, with H the threshold in dB HL, A its mean at 500 Hz, 1 and 2 kHz,
  /// and k = -17 -8 -3 +1 +1 -1 -2 -2 -2 dB at 250 500 750 1k 1.5k 2k 3k 4k 6k Hz; never below 0.
  /// Source: Byrne & Dillon 1986.
  public static let nalR = PrescriptionRule(
    name: "nal-r", version: 1,
    equation: .linear(
      LinearEquation(tableFrequencies: NALR.frequencies, gain: { NALR.gain(for: $0) })))
}
