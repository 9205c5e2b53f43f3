extension Audiogram {
  /// The typical uncomfortable loudness level in dB SPL of a narrow-band sound around a frequency in
  /// Hz, in a free field.
  ///
  /// The level is 100 dB HL up to a threshold of 40 dB HL. It then rises by 0.5 dB per dB, to 140 dB
  /// HL at a threshold of 120 dB HL. Listeners differ by 10 dB or more. Therefore a measured level
  /// (``HearingProfile/leftDiscomfort``) has priority.
  ///
  /// Source: a smoothed form of the pooled data (table 4) in Pascoe, "Clinical measurements of the
  /// auditory dynamic range and their relation to formulas for hearing aid gain", in Jensen (ed.),
  /// Hearing Aid Fitting, 13th Danavox Symposium (1988), pages 129 to 152. The loudness fit of
  /// Oetting, Brand & Ewert, Hearing Research 316 (2014), uses the same form.
  ///
  /// - Parameters:
  ///   - frequency: The frequency in Hz.
  ///   - measured: Measured discomfort levels of the ear in dB HL; nil if not measured. Outside the
  ///     measured frequencies, these levels can only lower the estimate.
  public func discomfortLevel(at frequency: Double, measured: Audiogram? = nil) -> Double {
    var level = Self.discomfortLevel(threshold: threshold(at: frequency))
    if let measured {
      let measuredLevel = measured.threshold(at: frequency)
      level = measured.measuredRange.contains(frequency) ? measuredLevel : min(level, measuredLevel)
    }
    return level + LevelPlane.freeField.referenceThreshold(at: frequency)
  }

  /// The typical uncomfortable loudness level in dB HL for a threshold in dB HL.
  package static func discomfortLevel(threshold: Double) -> Double {
    100 + 0.5 * max(0, threshold - 40)
  }
}
