/// The equations of FIG6 (see ``PrescriptionRule/fig6``).
///
/// S is the level in a band for speech with an overall level of 65 dB SPL. For speech with an
/// overall level L, the level in the band is L - 65 + S. At a threshold of 60 dB HL, the gain for
/// speech at 65 dB SPL jumps from 24 to 25 dB. The published rule contains the same jump.
enum FIG6 {
  static let overallLevels: [Double] = [40, 65, 95]

  /// The gains in dB at ``overallLevels`` for a hearing loss in dB HL.
  static func gains(forLoss loss: Double) -> [Double] {
    let soft = loss < 20 ? 0 : loss <= 60 ? loss - 20 : 0.5 * loss + 10
    let average = loss < 20 ? 0 : loss <= 60 ? 0.6 * (loss - 20) : 0.8 * loss - 23
    let loud = loss <= 40 ? 0 : 0.1 * CMath.power(loss - 40, 1.4)
    return [soft, average, loud]
  }
}

extension PrescriptionRule {
  /// FIG6 ("fig6"): restores the loudness of soft, average and loud speech. The input level is the
  /// overall level of speech.
  ///
  /// H is the threshold in dB HL. The rule defines the gain in dB at three overall levels of
  /// speech:
  ///
  ///     40 dB SPL:  0 for H < 20;  H - 20 for 20 ≤ H ≤ 60;        0.5 H + 10 for H > 60
  ///     65 dB SPL:  0 for H < 20;  0.6 (H - 20) for 20 ≤ H ≤ 60;  0.8 H - 23 for H > 60
  ///     95 dB SPL:  0 for H ≤ 40;  0.1 (H - 40)^1.4 for H > 40
  ///
  /// Between two of the three overall levels, the gain is interpolated linearly. Below 40 dB SPL
  /// and above 95 dB SPL, the gain is constant. A preset uses levels in a band instead of overall
  /// levels. Therefore each overall level is converted to the level of speech in the band (Byrne et
  /// al. 1994). Source: Killion & Fikret-Pasa 1993.
  public static let fig6 = PrescriptionRule(
    name: "fig6", version: 1, levelReference: .overall,
    releaseTime: EarPreset.compressiveReleaseTime,
    equation: .levelDependent(
      LevelDependentEquation(
        gain: { audiogram, frequency, inputLevel in
          let gains = FIG6.gains(forLoss: audiogram.threshold(at: frequency))
          return PiecewiseLine(x: FIG6.overallLevels, y: gains).value(at: inputLevel)
        },
        bandCurve: { audiogram, band in
          let toBand = PrescriptionBands.speechLevels[band] - SpeechSpectrum.overallLevel
          let loss = audiogram.threshold(at: PrescriptionBands.centers[band])
          return PiecewiseLine(
            x: FIG6.overallLevels.map { $0 + toBand }, y: FIG6.gains(forLoss: loss))
        })))
}
