extension Audiogram {
  /// The frequencies of the ``pureToneAverage``: 500, 1000, 2000 and 4000 Hz.
  ///
  /// Source: World Health Organization, "World report on hearing" (2021).
  public static let averagedFrequencies: [Double] = [500, 1000, 2000, 4000]

  /// The mean of the thresholds at 500, 1000, 2000 and 4000 Hz, in dB HL; nil where one of them
  /// lies outside of what was measured.
  ///
  ///     Audiogram.n3.pureToneAverage   // (35 + 40 + 50 + 60) / 4 = 46.25
  ///
  /// A frequency without a point of its own is read on the line between its neighbours; it is never
  /// guessed beyond the first or the last point. ``missingAveragedFrequencies`` tells which those
  /// are. A no-response point counts at the level that was tested: the true average is then higher.
  public var pureToneAverage: Double? {
    guard Self.averagedFrequencies.allSatisfy(measuredRange.contains) else { return nil }
    let sum = Self.averagedFrequencies.reduce(0) { $0 + threshold(at: $1) }
    return (sum / Double(Self.averagedFrequencies.count)).roundedToMillionth
  }

  /// Those of the ``averagedFrequencies`` at which there is no point.
  public var missingAveragedFrequencies: [Double] {
    Self.averagedFrequencies.filter { frequency in
      !points.contains { $0.frequency == frequency }
    }
  }

  /// Those of the ``averagedFrequencies`` at which the listener heard nothing.
  public var unansweredAveragedFrequencies: [Double] {
    points.filter { $0.isNoResponse && Self.averagedFrequencies.contains($0.frequency) }
      .map(\.frequency)
  }

  /// From the first point's frequency to the last one's.
  var measuredRange: ClosedRange<Double> {
    guard let first = points.first, let last = points.last else {
      preconditionFailure("an audiogram without points")
    }
    return first.frequency...last.frequency
  }
}
