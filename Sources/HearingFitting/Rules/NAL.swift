/// The revised procedure of the National Acoustic Laboratories, and its extension for profound
/// losses.
///
/// With H the threshold in dB HL and A = (H500 + H1k + H2k) / 3:
///
///     NAL-R   0.15 A + 0.31 H + k
///     NAL-RP  NAL-R + 0.2 max(0, A - 60) + T(H2k)
///
///     Hz      250  500  750   1k  1.5k  2k   3k   4k   6k
///     k       -17   -8   -3   +1   +1   -1   -2   -2   -2
///     T  95     4    3    1    0   -1   -2   -2   -2   -2
///       100     6    4  1.6    0   -2   -3   -3   -3   -3
///       105     8    5  2.2    0   -3   -5   -5   -5   -5
///       110    11    7  2.8    0   -3   -6   -6   -6   -6
///       115    13    8  3.4    0   -4   -8   -8   -8   -8
///       120    15    9    4    0   -5   -9   -9   -9   -9
///
/// T is 0 where the threshold at 2 kHz is below 95 dB HL, a straight line over that threshold from
/// there to 120 and held beyond. The published table leaves T at 750 Hz empty between 95 and 120;
/// here it is the straight line from 1 to 4. Both tables are straight lines on log frequency and
/// held beyond 250 Hz and 6 kHz; no gain is below 0.
enum NAL {
  static let frequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]

  static let corrections = FrequencyTable(
    frequencies: frequencies, values: [-17, -8, -3, 1, 1, -1, -2, -2, -2])

  static let profoundLosses: [Double] = [95, 100, 105, 110, 115, 120]

  /// T by frequency (rows as ``frequencies``), over the threshold at 2 kHz in dB HL.
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

  static func averageLoss(of audiogram: Audiogram) -> Double {
    (audiogram.threshold(at: 500) + audiogram.threshold(at: 1000) + audiogram.threshold(at: 2000))
      / 3
  }

  /// NAL-R's gain over frequency, negative where it is.
  static func revisedGain(for audiogram: Audiogram) -> (_ frequency: Double) -> Double {
    let share = 0.15 * averageLoss(of: audiogram)
    return { share + 0.31 * audiogram.threshold(at: $0) + corrections.value(at: $0) }
  }

  /// T over frequency for a threshold at 2 kHz in dB HL.
  static func profoundCorrection(forLossAt2kHz loss: Double) -> FrequencyTable {
    let values = profoundCorrections.map { loss < profoundLosses[0] ? 0 : $0.value(at: loss) }
    return FrequencyTable(frequencies: frequencies, values: values)
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
      LinearEquation(tableFrequencies: NAL.frequencies, gain: { NAL.revisedGain(for: $0) })))

  /// NAL-RP: NAL-R with more gain for severe losses and less treble for profound ones, "nal-rp".
  ///
  /// Gain = NAL-R + 0.2 max(0, A - 60) + T(H2k), where T is a table that applies from a threshold of
  /// 95 dB HL at 2 kHz, running from +4 dB at 250 Hz and -2 at 6 kHz to +15 and -9 at 120 dB HL;
  /// never below 0. Because of T, gain above 1 kHz does not always rise with the loss.
  /// Source: Byrne, Parkinson & Newall 1990.
  public static let nalRP = PrescriptionRule(
    name: "nal-rp", version: 1,
    equation: .linear(
      LinearEquation(
        tableFrequencies: NAL.frequencies,
        gain: { audiogram in
          let revised = NAL.revisedGain(for: audiogram)
          let more = 0.2 * max(0, NAL.averageLoss(of: audiogram) - 60)
          let profound = NAL.profoundCorrection(forLossAt2kHz: audiogram.threshold(at: 2000))
          return { revised($0) + more + profound.value(at: $0) }
        })))
}
