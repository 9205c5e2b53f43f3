/// NAL-R, the revised procedure of the National Acoustic Laboratories (see
/// ``PrescriptionRule/nalR``).
enum NALR {
  static let frequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]

  /// k in dB: linear on log frequency, held outside the table.
  static let corrections = FrequencyTable(
    frequencies: frequencies, values: [-17, -8, -3, 1, 1, -1, -2, -2, -2])

  /// The mean loss in dB HL at 500 Hz, 1 and 2 kHz: A.
  static func averageLoss(of audiogram: Audiogram) -> Double {
    (audiogram.threshold(at: 500) + audiogram.threshold(at: 1000) + audiogram.threshold(at: 2000))
      / 3
  }

  /// The gain over frequency; may be negative.
  static func gain(for audiogram: Audiogram) -> (_ frequency: Double) -> Double {
    let averageTerm = 0.15 * averageLoss(of: audiogram)
    return { averageTerm + 0.31 * audiogram.threshold(at: $0) + corrections.value(at: $0) }
  }
}

extension PrescriptionRule {
  /// NAL-R: all bands of speech equally loud at a comfortable level, "nal-r".
  ///
  /// Gain = 0.15 A + 0.31 H + k, with H the threshold in dB HL, A its mean at 500 Hz, 1 and 2 kHz,
  /// and k = -17 -8 -3 +1 +1 -1 -2 -2 -2 dB at 250 500 750 1k 1.5k 2k 3k 4k 6k Hz; never below 0.
  /// Source: Byrne & Dillon 1986.
  public static let nalR = PrescriptionRule(
    name: "nal-r", version: 1,
    equation: .linear(
      LinearEquation(tableFrequencies: NALR.frequencies, gain: { NALR.gain(for: $0) })))
}

/// NAL-RP, the extension of NAL-R for severe and profound losses (see ``PrescriptionRule/nalRP``).
enum NALRP {
  /// The thresholds at 2 kHz in the table, in dB HL; T is 0 below the first one.
  static let profoundLosses: [Double] = [95, 100, 105, 110, 115, 120]

  /// T in dB over the threshold at 2 kHz, by frequency as in ``NALR/frequencies``.
  static let profoundCorrections: [PiecewiseLine] = [
    [4, 6, 8, 11, 13, 15],
    [3, 4, 5, 7, 8, 9],
    [1, 1.6, 2.2, 2.8, 3.4, 4],
    [0, 0, 0, 0, 0, 0],
    [-1, -2, -3, -3, -4, -5],
    [-2, -3, -5, -6, -8, -9],
    [-2, -3, -5, -6, -8, -9],
    [-2, -3, -5, -6, -8, -9],
    [-2, -3, -5, -6, -8, -9],
  ].map { PiecewiseLine(x: profoundLosses, y: $0) }

  /// The gain over frequency; may be negative.
  static func gain(for audiogram: Audiogram) -> (_ frequency: Double) -> Double {
    let revised = NALR.gain(for: audiogram)
    let more = 0.2 * max(0, NALR.averageLoss(of: audiogram) - 60)
    let profound = profoundCorrection(forLossAt2kHz: audiogram.threshold(at: 2000))
    return { revised($0) + more + profound.value(at: $0) }
  }

  /// T over frequency for a threshold at 2 kHz in dB HL.
  static func profoundCorrection(forLossAt2kHz loss: Double) -> FrequencyTable {
    let values = profoundCorrections.map { loss < profoundLosses[0] ? 0 : $0.value(at: loss) }
    return FrequencyTable(frequencies: NALR.frequencies, values: values)
  }
}

extension PrescriptionRule {
  /// NAL-RP: NAL-R with more gain for severe losses and less treble for profound ones, "nal-rp".
  ///
  /// Gain = NAL-R + 0.2 max(0, A - 60) + T(H2k); never below 0. T applies where the threshold at 2
  /// kHz is 95 dB HL or more; in dB:
  ///
  ///     Hz      250  500  750   1k  1.5k  2k   3k   4k   6k
  ///      95       4    3    1    0   -1   -2   -2   -2   -2
  ///     100       6    4         0   -2   -3   -3   -3   -3
  ///     105       8    5         0   -3   -5   -5   -5   -5
  ///     110      11    7         0   -3   -6   -6   -6   -6
  ///     115      13    8         0   -4   -8   -8   -8   -8
  ///     120      15    9    4    0   -5   -9   -9   -9   -9
  ///
  /// T is interpolated linearly over that threshold and constant above 120; the empty cells at
  /// 750 Hz are interpolated from 1 to 4. Because of T, gain above 1 kHz does not always rise with
  /// the loss.
  /// Source: Byrne, Parkinson & Newall 1990.
  public static let nalRP = PrescriptionRule(
    name: "nal-rp", version: 1,
    equation: .linear(
      LinearEquation(
        tableFrequencies: NALR.frequencies,
        gain: { NALRP.gain(for: $0) })))
}
