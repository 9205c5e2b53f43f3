/// FIG6: restores the loudness of soft, average and loud speech.
///
/// With H the threshold in dB HL, at an overall level of speech of
///
///     40 dB SPL  0 below 20 dB HL, H - 20 up to 60, 0.5 H + 10 above
///     65 dB SPL  0 below 20 dB HL, 0.6 (H - 20) up to 60, 0.8 H - 23 above
///     95 dB SPL  0 up to 40 dB HL, 0.1 (H - 40)^1.4 above
///
/// interpolated linearly over level and held outside. In a band the overall level L corresponds to
/// the level of such speech in the band: L - 65 + the band level of speech at 65 dB SPL overall.
/// At 60 dB HL the second equation steps from 24 to 25 dB, as published.
enum FIG6 {
  static let overallLevels: [Double] = [40, 65, 95]

  /// Gains in dB at ``overallLevels`` for a loss in dB HL.
  static func gains(forLoss loss: Double) -> [Double] {
    [softGain(loss), averageGain(loss), loudGain(loss)]
  }

  private static func softGain(_ loss: Double) -> Double {
    if loss < 20 { return 0 }
    return loss <= 60 ? loss - 20 : 0.5 * loss + 10
  }

  private static func averageGain(_ loss: Double) -> Double {
    if loss < 20 { return 0 }
    return loss <= 60 ? 0.6 * (loss - 20) : 0.8 * loss - 23
  }

  private static func loudGain(_ loss: Double) -> Double {
    loss <= 40 ? 0 : 0.1 * CMath.power(loss - 40, 1.4)
  }
}

extension PrescriptionRule {
  /// FIG6: restores the loudness of soft, average and loud speech, "fig6"; the input level is the
  /// overall level of speech.
  ///
  /// With H the threshold in dB HL, at 40 dB SPL overall: 0 below 20 dB HL, H - 20 up to 60,
  /// 0.5 H + 10 above; at 65: 0, 0.6 (H - 20), 0.8 H - 23; at 95: 0 up to 40 dB HL, then
  /// 0.1 (H - 40)^1.4; interpolated linearly over level and held outside. In a preset an overall
  /// level corresponds to the level of such speech in the band (long-term average speech spectrum,
  /// Byrne et al. 1994). Source: Killion & Fikret-Pasa 1993.
  public static let fig6 = PrescriptionRule(
    name: "fig6", version: 1,
    equation: .levelDependent(
      LevelDependentEquation(
        levelReference: .overall,
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
