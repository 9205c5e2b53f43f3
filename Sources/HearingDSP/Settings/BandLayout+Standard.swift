extension BandLayout {
  /// The ten frequencies of pure-tone audiometry from 250 Hz to 8 kHz.
  ///
  /// 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000 Hz.
  public static let audiometric = BandLayout(
    checked: [250, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000])

  /// Octaves from 125 Hz to 8 kHz: seven bands.
  public static let octave = BandLayout(checked: [125, 250, 500, 1_000, 2_000, 4_000, 8_000])

  /// Third-octaves from 100 Hz to 16 kHz, nominal frequencies of IEC 61260-1: 23 bands.
  public static let thirdOctave = BandLayout(
    checked: [
      100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1_000, 1_250, 1_600, 2_000, 2_500, 3_150,
      4_000, 5_000, 6_300, 8_000, 10_000, 12_500, 16_000,
    ])
}
