extension Audiogram {
  /// The level in dB SPL at which a narrow-band sound around a frequency in Hz is uncomfortably
  /// loud. The level refers to a free field. If no discomfort level was measured, the result is the
  /// typical level for the threshold.
  ///
  /// For thresholds up to 40 dB HL, the typical discomfort level is 100 dB HL. For higher
  /// thresholds, the typical discomfort level rises by 0.5 dB if the threshold rises by 1 dB. At a
  /// threshold of 120 dB HL, the typical discomfort level is 140 dB HL. The discomfort levels of
  /// listeners with the same threshold differ by 10 dB or more. Therefore a measured level
  /// (``HearingProfile/leftDiscomfort``) replaces the typical level.
  ///
  /// The typical discomfort level is a smoothed form of the combined data (table 4) in Pascoe,
  /// "Clinical measurements of the auditory dynamic range and their relation to formulas for
  /// hearing aid gain", in Jensen (ed.), Hearing Aid Fitting, 13th Danavox Symposium (1988), pages
  /// 129 to 152. Oetting, Brand & Ewert, Hearing Research 316 (2014), use the same smoothed form.
  ///
  /// - Parameters:
  ///   - frequency: The frequency in Hz.
  ///   - measured: Measured discomfort levels of the ear in dB HL; nil if not measured. Outside the
  ///     measured frequencies, the result is the minimum of the nearest measured level and the
  ///     typical level. If ``Point/isNoResponse`` is true, the sound was not uncomfortable up to
  ///     the tested level. In this case, the maximum of the tested level and the typical level
  ///     counts as the measured level. A measured level below the threshold is replaced with the
  ///     typical level.
  public func discomfortLevel(at frequency: Double, measured: Audiogram? = nil) -> Double {
    var level = Self.discomfortLevel(threshold: threshold(at: frequency))
    if let measured = measured.map(replacingUnknownDiscomfort) {
      let measuredLevel = measured.threshold(at: frequency)
      level = measured.measuredRange.contains(frequency) ? measuredLevel : min(level, measuredLevel)
    }
    return level + LevelPlane.freeField.referenceThreshold(at: frequency)
  }

  private func replacingUnknownDiscomfort(in measured: Audiogram) -> Audiogram {
    Audiogram(
      validated: measured.points.map { point in
        guard point.isNoResponse || isAboveDiscomfort(point) else { return point }
        let typical = Self.discomfortLevel(threshold: threshold(at: point.frequency))
        return Point(frequency: point.frequency, threshold: max(point.threshold, typical))
      })
  }

  /// Whether a measured discomfort level is below the threshold. In this case, either the
  /// discomfort level or the threshold is wrong.
  func isAboveDiscomfort(_ point: Point) -> Bool {
    !point.isNoResponse && measuredRange.contains(point.frequency)
      && point.threshold < threshold(at: point.frequency)
  }

  /// The typical discomfort level in dB HL for a threshold in dB HL.
  package static func discomfortLevel(threshold: Double) -> Double {
    100 + 0.5 * max(0, threshold - 40)
  }
}
