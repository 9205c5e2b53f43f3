extension EarPreset {
  /// The settings of one band of a processor: the insertion gain as a function of input level at
  /// one frequency, the attack and release times, and the maximum output.
  ///
  /// The points are joined by straight lines; the gain is held outside them. With one point the
  /// gain does not depend on the level.
  public struct Curve: Sendable, Equatable {
    /// A gain at an input level.
    public struct Point: Sendable, Equatable {
      /// The level in the band, in dB SPL.
      public let inputLevel: Double
      /// The insertion gain in dB.
      public let gain: Double
    }

    /// At least one, in order of strictly rising input level.
    public let points: [Point]
    /// Attack time in seconds.
    public let attackTime: Double
    /// Release time in seconds.
    public let releaseTime: Double
    /// The maximum output in the band in dB SPL; nil: none.
    public let maximumOutput: Double?
  }

  /// A point no farther than this, in dB, from the line between its neighbours is omitted.
  private static let curveTolerance = 1e-5

  /// The curve at a frequency above 0 Hz.
  ///
  /// Gains and times are interpolated linearly on log frequency and held outside the preset's
  /// frequencies. Points on a straight line, to within 0.00001 dB, are omitted.
  public func curve(at frequency: Double) -> Curve {
    let all = inputLevels.indices.map { level in
      Curve.Point(
        inputLevel: inputLevels[level], gain: blend(at: frequency) { gains[$0][level] })
    }
    return Curve(
      points: Self.omittingCollinearPoints(all),
      attackTime: blend(at: frequency) { attackTimes[$0] },
      releaseTime: blend(at: frequency) { releaseTimes[$0] },
      maximumOutput: maximumOutputs.map { outputs in blend(at: frequency) { outputs[$0] } })
  }

  /// Omits points that lie within the tolerance of the line between the remaining ones.
  ///
  /// For each remaining point, the points after it narrow the range of slopes for which a line from
  /// it passes all of them within the tolerance. The first point outside that range ends the line
  /// at the point before it.
  private static func omittingCollinearPoints(_ points: [Curve.Point]) -> [Curve.Point] {
    guard var anchor = points.first, points.count > 1 else { return points }
    var remaining = [anchor]
    var slopes = -Double.infinity...Double.infinity
    var previous = anchor
    for point in points.dropFirst() {
      let slope = (point.gain - anchor.gain) / (point.inputLevel - anchor.inputLevel)
      if !slopes.contains(slope) {
        remaining.append(previous)
        anchor = previous
        slopes = -Double.infinity...Double.infinity
      }
      let run = point.inputLevel - anchor.inputLevel
      let rise = point.gain - anchor.gain
      let lower = max(slopes.lowerBound, (rise - curveTolerance) / run)
      let upper = min(slopes.upperBound, (rise + curveTolerance) / run)
      slopes = lower...max(lower, upper)
      previous = point
    }
    let isFlat = remaining.count == 1 && previous.gain == anchor.gain
    return isFlat ? remaining : remaining + [previous]
  }
}
