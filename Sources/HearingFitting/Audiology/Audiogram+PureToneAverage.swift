extension Audiogram {
  /// The frequencies of the ``pureToneAverage``: 500, 1000, 2000 and 4000 Hz.
  ///
  /// Source: World Health Organization, "World report on hearing" (2021).
  public static let averagedFrequencies: [Double] = [500, 1000, 2000, 4000]

  /// The mean of the thresholds at 500, 1000, 2000 and 4000 Hz, in dB HL; nil if one of these
  /// frequencies is outside the measured range.
  ///
  ///     Audiogram.n3.pureToneAverage   // (35 + 40 + 50 + 60) / 4 = 46.25
  ///
  /// If the audiogram has no point at a frequency, the threshold is interpolated from the points on
  /// both sides of this frequency. ``missingAveragedFrequencies`` lists the frequencies without a
  /// point. For a no-response point, the tested level is used, so the true average is higher.
  public var pureToneAverage: Double? {
    guard Self.averagedFrequencies.allSatisfy(measuredRange.contains) else { return nil }
    return Self.averagedFrequencies.map(threshold).mean.roundedToMillionth
  }

  /// The ``averagedFrequencies`` that have no point.
  public var missingAveragedFrequencies: [Double] {
    Self.averagedFrequencies.filter { frequency in
      !points.contains { $0.frequency == frequency }
    }
  }

  /// The ``averagedFrequencies`` at which the listener did not respond.
  public var unansweredAveragedFrequencies: [Double] {
    points.filter { $0.isNoResponse && Self.averagedFrequencies.contains($0.frequency) }
      .map { $0.frequency }
  }

  /// The range in Hz from the lowest to the highest measured frequency.
  package var measuredRange: ClosedRange<Double> {
    guard let first = points.first, let last = points.last else {
      preconditionFailure("an audiogram without points")
    }
    return first.frequency...last.frequency
  }
}
