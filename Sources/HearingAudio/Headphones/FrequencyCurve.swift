internal import HearingDSP

/// Levels or gains in dB as a function of frequency, such as the measured response of a headphone.
///
/// Between two points, the level is interpolated linearly over the logarithm of the frequency.
/// Below the first point and above the last point, the curve is constant.
///
/// For a correction that changes a measured curve to a target curve, use
/// `HeadphoneCorrection.fitted(to:)`.
public struct FrequencyCurve: Sendable, Equatable {
  /// The points in ascending order of frequency.
  let points: [Point]

  /// A point of a curve: a frequency and a level.
  struct Point: Sendable, Equatable {
    /// The frequency in Hz, above 0.
    let frequency: Double
    /// The level or gain in dB.
    let level: Double
  }

  /// Creates a curve of 1…20,000 points.
  ///
  /// - Parameters:
  ///   - frequencies: Frequencies in Hz, above 0 and increasing.
  ///   - levels: The level or gain in dB at each frequency, within ±300 dB. There must be as many
  ///     levels as frequencies.
  /// - Throws: ``EqualizerError/pointCountOutOfRange(_:)``,
  ///   ``EqualizerError/pointOutOfRange(index:frequency:level:)`` or
  ///   ``EqualizerError/frequencyNotRising(index:frequency:)``.
  public init(frequencies: [Double], levels: [Double]) throws(EqualizerError) {
    precondition(
      frequencies.count == levels.count,
      "\(levels.count) levels at \(frequencies.count) frequencies")
    try self.init(points: zip(frequencies, levels).map { Point(frequency: $0, level: $1) })
  }

  /// Creates a curve of 1…20,000 points. The frequencies must increase, and the levels must be
  /// within ±300 dB.
  init(points: [Point]) throws(EqualizerError) {
    guard (1...20_000).contains(points.count) else {
      throw .pointCountOutOfRange(points.count)
    }
    for (index, point) in points.enumerated() {
      guard point.frequency > 0, point.frequency.isFinite, abs(point.level) <= 300 else {
        throw .pointOutOfRange(index: index, frequency: point.frequency, level: point.level)
      }
      guard index == 0 || point.frequency > points[index - 1].frequency else {
        throw .frequencyNotRising(index: index, frequency: point.frequency)
      }
    }
    self.points = points
  }

  private init(level: Double) {
    points = [Point(frequency: 1_000, level: level)]
  }

  /// A curve with 0 dB at all frequencies.
  public static let flat = FrequencyCurve(level: 0)

  /// The level in dB at `frequency` Hz.
  public func level(at frequency: Double) -> Double {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].frequency <= frequency { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return points[0].level }
    guard low < points.count else { return points[points.count - 1].level }
    let (before, after) = (points[low - 1], points[low])
    let fraction =
      CMath.binaryLogarithm(frequency / before.frequency)
      / CMath.binaryLogarithm(after.frequency / before.frequency)
    return before.level + fraction * (after.level - before.level)
  }
}
