extension EarPreset {
  /// The settings for one band of a processor. The settings are the insertion gain as a function of
  /// input level, the attack and release times, and the maximum output.
  ///
  /// The gain is linear between the points. Below the first point and above the last point, the
  /// gain is constant. If there is only one point, the gain does not depend on the level.
  public struct Curve: Sendable, Equatable {
    /// A gain at an input level.
    public struct Point: Sendable, Equatable {
      /// The input level in the band, in dB SPL.
      public let inputLevel: Double
      /// The insertion gain in dB.
      public let gain: Double
    }

    /// The points, at least one, in order of strictly rising input level.
    public let points: [Point]
    /// The attack time in seconds.
    public let attackTime: Double
    /// The release time in seconds.
    public let releaseTime: Double
    /// The maximum output in the band in dB SPL; nil if the band has no maximum output.
    public let maximumOutput: Double?
  }

  /// The maximum error of gain in dB for which a point of a curve is omitted.
  private static let curveTolerance = 1e-5

  /// The curve at a frequency above 0 Hz.
  ///
  /// Gains, times and maximum outputs are interpolated linearly in the logarithm of frequency.
  /// Outside the preset's frequencies, gains, times and maximum outputs are constant. A point is
  /// omitted if the line between the remaining points differs from the point by at most 0.00001 dB.
  public func curve(at frequency: Double) -> Curve {
    let all = inputLevels.indices.map { level in
      Curve.Point(inputLevel: inputLevels[level], gain: blend(at: frequency) { gains[$0][level] })
    }
    return Curve(
      points: Self.omittingCollinearPoints(all),
      attackTime: blend(at: frequency) { attackTimes[$0] },
      releaseTime: blend(at: frequency) { releaseTimes[$0] },
      maximumOutput: maximumOutputs.map { outputs in blend(at: frequency) { outputs[$0] } })
  }

  /// Omits points that lie within the tolerance of the line between the remaining points.
  ///
  /// A line starts at a remaining point, which is called the anchor. Each further point narrows the
  /// range of slopes with which the line stays within the tolerance of all points. If a point needs
  /// a slope outside that range, the line ends at the previous point. The previous point becomes
  /// the next anchor.
  private static func omittingCollinearPoints(_ points: [Curve.Point]) -> [Curve.Point] {
    guard var anchor = points.first, points.count > 1 else { return points }
    var remaining = [anchor]
    var slopes = -Double.infinity...Double.infinity
    var previous = anchor
    for point in points.dropFirst() {
      if !slopes.contains((point.gain - anchor.gain) / (point.inputLevel - anchor.inputLevel)) {
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
