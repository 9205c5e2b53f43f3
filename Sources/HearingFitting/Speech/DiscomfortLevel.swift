/// The uncomfortable loudness level that is usual for a hearing threshold.
///
///     DiscomfortLevel.hearingLevel(threshold: 60)    // 110 dB HL
///
/// 100 dB HL up to a threshold of 40 dB HL, then rising by 0.5 dB per dB, as smoothed from the data of
/// Pascoe, "Clinical measurements of the auditory dynamic range and their relation to formulas for
/// hearing aid gain" (1988), and used by Oetting, Brand & Ewert, Hearing Research 316 (2014). Listeners
/// differ by 10 dB and more: a measured level has priority.
public enum DiscomfortLevel {
  /// The level in dB HL for a threshold in dB HL.
  public static func hearingLevel(threshold: Double) -> Double {
    100 + 0.5 * max(0, threshold - 40)
  }

  /// The level in dB SPL of a narrow band around a frequency in Hz, in a free field.
  public static func level(for audiogram: Audiogram, at frequency: Double) -> Double {
    hearingLevel(threshold: audiogram.threshold(at: frequency))
      + MinimumAudibleField.level(at: frequency)
  }
}
