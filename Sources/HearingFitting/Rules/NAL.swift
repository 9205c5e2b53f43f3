/// The rule NAL-R, the revised procedure of the National Acoustic Laboratories (see
/// ``PrescriptionRule/nalR``).
enum NALR {
  static let frequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]

  /// The correction k in dB. Between the frequencies of the table, k is linear in the logarithm of
  /// frequency. Outside the table, k is constant.
  static let corrections = FrequencyTable(
    frequencies: frequencies, values: [-17, -8, -3, 1, 1, -1, -2, -2, -2])

  /// The mean threshold in dB HL at 500 Hz, 1 kHz and 2 kHz. The equation of the rule calls this
  /// mean A.
  static func averageLoss(of audiogram: Audiogram) -> Double {
    [500, 1000, 2000].map(audiogram.threshold).mean
  }

  /// The gain in dB as a function of frequency in Hz. The gain may be negative.
  static func gain(for audiogram: Audiogram) -> (_ frequency: Double) -> Double {
    let averageTerm = 0.15 * averageLoss(of: audiogram)
    return { averageTerm + 0.31 * audiogram.threshold(at: $0) + corrections.value(at: $0) }
  }
}

extension PrescriptionRule {
  /// NAL-R ("nal-r"): all bands of speech are equally loud at a comfortable level.
  ///
  /// Gain = max(0, 0.15 A + 0.31 H + k). H is the threshold in dB HL, and A is the mean threshold
  /// in dB HL at 500 Hz, 1 kHz and 2 kHz. The correction k in dB depends on the frequency:
  ///
  ///     Hz   250  500  750   1k  1.5k  2k   3k   4k   6k
  ///     dB   -17   -8   -3    1    1   -1   -2   -2   -2
  ///
  /// Source: Byrne & Dillon 1986.
  public static let nalR = linear(
    name: "nal-r", version: 1, tableFrequencies: NALR.frequencies, gain: NALR.gain)
}

/// The rule NAL-RP, the extension of NAL-R for severe and profound losses (see
/// ``PrescriptionRule/nalRP``).
enum NALRP {
  /// The thresholds at 2 kHz in dB HL for which the rule defines the correction T. For a threshold
  /// below 95 dB HL at 2 kHz, T is 0.
  static let profoundLosses: [Double] = [95, 100, 105, 110, 115, 120]

  /// The correction T in dB as a function of the threshold at 2 kHz, for each frequency of
  /// ``NALR/frequencies``.
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

  /// The gain in dB as a function of frequency in Hz. The gain may be negative. The correction T
  /// depends on the threshold at 2 kHz. By default, T is 0 below 95 dB HL and jumps to its full
  /// value at 95 dB HL. If `fade` is given, T rises linearly from 0 to its full value between 95 -
  /// `fade` and 95 dB HL.
  static func gain(
    for audiogram: Audiogram, fade: Double = .ulpOfOne
  ) -> (_ frequency: Double) -> Double {
    let revised = NALR.gain(for: audiogram)
    let more = 0.2 * max(0, NALR.averageLoss(of: audiogram) - 60)
    let loss = audiogram.threshold(at: 2000)
    let fraction = max(0, 1 - max(0, profoundLosses[0] - loss) / fade)
    let profound = FrequencyTable(
      frequencies: NALR.frequencies,
      values: profoundCorrections.map { fraction * $0.value(at: loss) })
    return { revised($0) + more + profound.value(at: $0) }
  }
}

extension PrescriptionRule {
  /// NAL-RP ("nal-rp"): NAL-R with more gain for severe losses, and with less gain at high
  /// frequencies for profound losses.
  ///
  /// Gain = max(0, 0.15 A + 0.31 H + k + 0.2 max(0, A - 60) + T). A, H and k have the same meaning
  /// as in ``nalR``. The correction T depends on the threshold at 2 kHz. T is 0 if the threshold at
  /// 2 kHz is below 95 dB HL. The table contains T in dB. The first column is the threshold at 2
  /// kHz in dB HL:
  ///
  ///     Hz      250  500  750   1k  1.5k  2k   3k   4k   6k
  ///      95       4    3    1    0   -1   -2   -2   -2   -2
  ///     100       6    4         0   -2   -3   -3   -3   -3
  ///     105       8    5         0   -3   -5   -5   -5   -5
  ///     110      11    7         0   -3   -6   -6   -6   -6
  ///     115      13    8         0   -4   -8   -8   -8   -8
  ///     120      15    9    4    0   -5   -9   -9   -9   -9
  ///
  /// Between two rows, T is interpolated linearly. Above 120 dB HL, T is constant. The empty cells
  /// in the column of 750 Hz are also interpolated linearly. Above 1 kHz, T is negative or 0.
  /// Therefore a greater hearing loss may get less gain above 1 kHz. Source: Byrne, Parkinson &
  /// Newall 1990.
  public static let nalRP = linear(
    name: "nal-rp", version: 1, tableFrequencies: NALR.frequencies, gain: { NALRP.gain(for: $0) })
}
