extension EarPreset {
  /// Insertion gain over input level at one frequency, with the time constants there: what a
  /// processor needs for one band.
  ///
  /// The points are joined by straight lines and held beyond both ends. One point: the gain does not
  /// depend on the level.
  public struct Curve: Sendable, Equatable {
    /// A gain at an input level.
    public struct Point: Sendable, Equatable {
      /// The level in the band, in dB SPL.
      public let inputLevel: Double
      /// The insertion gain in dB.
      public let gain: Double
    }

    /// By strictly rising input level; at least one.
    public let points: [Point]
    /// Attack time in seconds.
    public let attackTime: Double
    /// Release time in seconds.
    public let releaseTime: Double
  }

  /// How far, in dB, a point may lie from the line through its neighbours and still be left out of a
  /// curve.
  private static let curveTolerance = 1e-5

  /// The curve at a frequency above 0, in Hz.
  ///
  /// Gain and time constants are straight lines on log frequency between the preset's frequencies,
  /// held beyond them. Points are left out where the curve is straight anyway, to within 0.00001 dB.
  public func curve(at frequency: Double) -> Curve {
    let all = inputLevels.indices.map { level in
      Curve.Point(
        inputLevel: inputLevels[level], gain: blend(at: frequency) { gains[$0][level] })
    }
    return Curve(
      points: Self.withoutStraightPoints(all),
      attackTime: blend(at: frequency) { attackTimes[$0] },
      releaseTime: blend(at: frequency) { releaseTimes[$0] })
  }

  /// Leaves out points that the line between the points kept passes within the tolerance.
  ///
  /// From each point kept, every point passed narrows the slopes that a line may have; the first
  /// point whose slope is outside them makes the one before it a point to keep.
  private static func withoutStraightPoints(_ points: [Curve.Point]) -> [Curve.Point] {
    guard var anchor = points.first, points.count > 1 else { return points }
    var kept = [anchor]
    var slopes = -Double.infinity...Double.infinity
    var previous = anchor
    for point in points.dropFirst() {
      let slope = (point.gain - anchor.gain) / (point.inputLevel - anchor.inputLevel)
      if !slopes.contains(slope) {
        kept.append(previous)
        anchor = previous
        slopes = -Double.infinity...Double.infinity
      }
      let run = point.inputLevel - anchor.inputLevel
      let rise = point.gain - anchor.gain
      let least = max(slopes.lowerBound, (rise - curveTolerance) / run)
      let greatest = min(slopes.upperBound, (rise + curveTolerance) / run)
      slopes = least...max(least, greatest)
      previous = point
    }
    let isFlat = kept.count == 1 && previous.gain == anchor.gain
    return isFlat ? kept : kept + [previous]
  }
}
