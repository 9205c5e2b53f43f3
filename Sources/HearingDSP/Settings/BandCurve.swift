/// The insertion gain of one band as a function of the level in that band.
///
///     let fixed = BandCurve.gain(12)
///     let compressing = try BandCurve(points: [
///       .init(level: 45, gain: 25), .init(level: 90, gain: 5),
///     ])
///     compressing.gain(at: 60)      // 18.3 dB
///
/// Points are joined by straight lines and held beyond both ends, never extrapolated. It is a value
/// without memory: the level that it is asked for has been measured elsewhere.
public struct BandCurve: Sendable, Equatable {
  /// The points in order of rising level; one point is a fixed gain.
  public let points: [Point]

  /// Seconds in which the gain follows a rising level (time constant of the level in dB).
  public let attackTime: Double

  /// Seconds in which the gain follows a falling level (time constant of the level in dB).
  public let releaseTime: Double

  /// A gain of `decibels` dB at every level.
  public static func gain(_ decibels: Double) -> BandCurve {
    BandCurve(
      checked: [Point(level: 0, gain: decibels)], attackTime: defaultAttackTime,
      releaseTime: defaultReleaseTime)
  }

  /// A curve through `points`.
  ///
  /// - Parameters:
  ///   - points: 1…128 points, finite, with strictly rising levels.
  ///   - attackTime: 0…10 s; default 5 ms.
  ///   - releaseTime: 0…10 s; default 100 ms.
  /// - Throws: ``Failure`` that names the point or the time.
  public init(
    points: [Point], attackTime: Double = defaultAttackTime,
    releaseTime: Double = defaultReleaseTime
  ) throws(Failure) {
    guard Self.supportedPointCounts.contains(points.count) else {
      throw .pointCountOutOfRange(points.count)
    }
    for (index, point) in points.enumerated() {
      guard point.level.isFinite, point.gain.isFinite else { throw .pointNotFinite(index: index) }
      if index > 0, point.level <= points[index - 1].level {
        throw .levelNotRising(index: index, level: point.level)
      }
    }
    guard Self.supportedTimes.contains(attackTime) else {
      throw .attackTimeOutOfRange(attackTime)
    }
    guard Self.supportedTimes.contains(releaseTime) else {
      throw .releaseTimeOutOfRange(releaseTime)
    }
    self.init(checked: points, attackTime: attackTime, releaseTime: releaseTime)
  }

  private init(checked points: [Point], attackTime: Double, releaseTime: Double) {
    self.points = points
    self.attackTime = attackTime
    self.releaseTime = releaseTime
  }

  /// The gain in dB at a band level of `level` dB SPL.
  public func gain(at level: Double) -> Double {
    guard let next = points.firstIndex(where: { $0.level > level }) else {
      return points[points.count - 1].gain
    }
    guard next > 0 else { return points[0].gain }
    let (low, high) = (points[next - 1], points[next])
    let share = (level - low.level) / (high.level - low.level)
    return low.gain + share * (high.gain - low.gain)
  }

  /// The gain in dB if it is the same at every level; otherwise nil.
  public var fixedGain: Double? {
    let first = points[0].gain
    return points.allSatisfy { $0.gain == first } ? first : nil
  }
}
