extension Audiogram {
  /// The frequencies of the ``pureToneAverage``: 500, 1000, 2000 and 4000 Hz.
  ///
  /// Source: World Health Organization, "World report on hearing" (2021).
  public static let averagedFrequencies: [Double] = [500, 1000, 2000, 4000]

  /// The mean of the thresholds at 500, 1000, 2000 and 4000 Hz, in dB HL. Nil if one of the four
  /// frequencies is outside the measured range.
  ///
  ///     Audiogram.n3.pureToneAverage   // (35 + 40 + 50 + 60) / 4 = 46.25
  ///
  /// If the audiogram has no point at one of the four frequencies, the threshold at this frequency
  /// is interpolated. The interpolation uses the nearest point below the frequency and the nearest
  /// point above the frequency. ``missingAveragedFrequencies`` lists the frequencies without a
  /// point. If the listener did not respond at a frequency, the average uses the tested level. In
  /// this case, the true average is higher.
  public var pureToneAverage: Double? {
    guard Self.averagedFrequencies.allSatisfy(measuredRange.contains) else { return nil }
    return Self.averagedFrequencies.map(threshold).mean.roundedToMillionth
  }

  /// The ``averagedFrequencies`` at which the audiogram has no point.
  public var missingAveragedFrequencies: [Double] {
    Self.averagedFrequencies.filter { frequency in
      !points.contains { $0.frequency == frequency }
    }
  }

  /// The ``averagedFrequencies`` at which the listener did not respond. The list also includes each
  /// frequency at which the threshold is interpolated from a point without a response.
  public var unansweredAveragedFrequencies: [Double] {
    Self.averagedFrequencies.filter(isUnanswered)
  }

  /// The pure-tone average with one decimal, such as "34.8 dB HL". The text starts with "at least"
  /// if the listener did not respond at one of the ``averagedFrequencies``. If rounding up would
  /// change the ``HearingGrade``, the average is rounded down. Nil if the average is unknown.
  package var pureToneAverageText: String? {
    pureToneAverage.map { average in
      let rounded = average.roundedToTenth
      let isNextGrade = HearingGrade(pureToneAverage: average) < .init(pureToneAverage: rounded)
      return (unansweredAveragedFrequencies.isEmpty ? "" : "at least ")
        + "\((rounded - (isNextGrade ? 0.1 : 0)).plain) dB HL"
    }
  }

  /// Whether the threshold at a frequency in Hz comes from a point without a response, directly or
  /// by interpolation. In this case, the true threshold is higher.
  package func isUnanswered(at frequency: Double) -> Bool {
    [points.last { $0.frequency <= frequency }, points.first { $0.frequency >= frequency }]
      .contains { $0?.isNoResponse == true }
  }

  /// The range in Hz from the lowest to the highest measured frequency.
  package var measuredRange: ClosedRange<Double> {
    guard let first = points.first, let last = points.last else {
      preconditionFailure("an audiogram without points")
    }
    return first.frequency...last.frequency
  }
}
