internal import HearingBuffers

/// The insertion gain of one band as a function of the level in that band.
///
///     let fixed = BandCurve.gain(12)
///     let compressing = try BandCurve(points: [
///       .init(level: 45, gain: 25), .init(level: 90, gain: 5),
///     ])
///     compressing.gain(at: 60)      // 18.3 dB
///
///     let safe = try compressing.limited(toOutput: 95)
///     safe.gain(at: 92)             // 3 dB instead of 5: the output is limited to 95 dB SPL
///
/// Straight lines connect the points of a curve. Below the first point and above the last point,
/// the gain is constant. A ``BandGainProcessor`` measures the level in the band and applies the
/// gain.
public struct BandCurve: Sendable, Equatable {
  /// The points, sorted by rising level. A curve with a single point is a fixed gain.
  public let points: [Point]

  /// The attack time in seconds: the time constant of the smoothed level in dB while the level
  /// rises.
  public let attackTime: Double

  /// The release time in seconds: the time constant of the smoothed level in dB while the level
  /// falls.
  public let releaseTime: Double

  /// The maximum output level of the band in dB SPL; nil if there is no maximum.
  ///
  /// If the level plus the gain would exceed the maximum output, the gain is reduced, even below 0
  /// dB. If two neighbouring bands both have a maximum output, a steady tone between the two band
  /// centres is limited, too. As a side effect, broadband sound can be limited to a few dB below
  /// the maximum output. The maximum output of the first band also applies at frequencies below the
  /// first band.
  ///
  /// When a sudden sound starts, the measured level rises with a delay. Therefore the start of the
  /// sound exceeds the maximum output for about the attack time. The maximum output is for the
  /// listener's comfort. For safety, ``ProcessorSettings`` has output ceilings, which no output
  /// sample exceeds. See <doc:LevelsAndCalibration>.
  public let maximumOutput: Double?

  /// Creates a curve with a gain of `decibels` dB at every level.
  public static func gain(_ decibels: Double) -> BandCurve {
    BandCurve(
      checked: [Point(level: 0, gain: decibels)], attackTime: defaultAttackTime,
      releaseTime: defaultReleaseTime, maximumOutput: nil)
  }

  /// Creates a curve through `points`.
  ///
  /// - Parameters:
  ///   - points: 1…128 points with finite values and strictly rising levels.
  ///   - attackTime: the time constant for rising levels, 0…10 s. The default is 5 ms.
  ///   - releaseTime: the time constant for falling levels, 0…10 s. The default is 100 ms.
  ///   - maximumOutput: the maximum output level, 0…200 dB SPL. By default, there is no maximum.
  /// - Throws: an ``Invalid`` error that contains the invalid value or the index of the invalid
  ///   point.
  public init(
    points: [Point], attackTime: Double = defaultAttackTime,
    releaseTime: Double = defaultReleaseTime, maximumOutput: Double? = nil
  ) throws(Invalid) {
    try Self.supportedPointCounts.check(points.count, Invalid.pointCountOutOfRange)
    for (index, point) in points.enumerated() {
      guard point.level.isFinite, point.gain.isFinite else { throw .pointNotFinite(index: index) }
      if index > 0, point.level <= points[index - 1].level {
        throw .levelNotRising(index: index, level: point.level)
      }
    }
    try Self.supportedTimes.check(attackTime, Invalid.attackTimeOutOfRange)
    try Self.supportedTimes.check(releaseTime, Invalid.releaseTimeOutOfRange)
    if let maximumOutput {
      try Self.supportedMaximumOutputs.check(maximumOutput, Invalid.maximumOutputOutOfRange)
    }
    self.init(
      checked: points, attackTime: attackTime, releaseTime: releaseTime,
      maximumOutput: maximumOutput)
  }

  private init(
    checked points: [Point], attackTime: Double, releaseTime: Double, maximumOutput: Double?
  ) {
    self.points = points
    self.attackTime = attackTime
    self.releaseTime = releaseTime
    self.maximumOutput = maximumOutput
  }

  /// Returns a copy of the curve with a different maximum output, 0…200 dB SPL. The value nil
  /// removes the maximum output.
  ///
  /// - Throws: ``Invalid/maximumOutputOutOfRange(_:)``.
  public func limited(toOutput maximumOutput: Double?) throws(Invalid) -> BandCurve {
    try BandCurve(
      points: points, attackTime: attackTime, releaseTime: releaseTime,
      maximumOutput: maximumOutput)
  }

  /// The gain in dB at a band level of `level` dB SPL, for a tone at the centre of the band.
  public func gain(at level: Double) -> Double {
    gain(at: level, intensity: 1)
  }

  /// The gain in dB at a band level of `level` dB SPL. The factor `intensity` scales the gain of
  /// the curve, but does not scale the maximum output.
  func gain(at level: Double, intensity: Double) -> Double {
    let gain = intensity * lineGain(at: level)
    guard let maximumOutput else { return gain }
    return min(gain, max(maximumOutput - level, Self.minimumGain))
  }

  /// The gain in dB on the straight lines between the points, without the effect of the maximum
  /// output.
  func lineGain(at level: Double) -> Double {
    guard let next = points.firstIndex(where: { $0.level > level }) else {
      return points[points.count - 1].gain
    }
    guard next > 0 else { return points[0].gain }
    let (low, high) = (points[next - 1], points[next])
    let fraction = (level - low.level) / (high.level - low.level)
    return low.gain + fraction * (high.gain - low.gain)
  }

  /// The gain in dB if the gain is the same at every level. Nil if the gain depends on the level,
  /// or if there is a maximum output.
  public var fixedGain: Double? { fixedGain(intensity: 1) }

  /// The gain in dB multiplied by `intensity`, if this product is the same at every level. Nil if
  /// the scaled gain depends on the level, or if there is a maximum output.
  func fixedGain(intensity: Double) -> Double? {
    guard maximumOutput == nil else { return nil }
    let first = points[0].gain
    return intensity == 0 || points.allSatisfy({ $0.gain == first }) ? intensity * first : nil
  }

  /// The points of the curve, with the gain scaled by `intensity`. The returned gains do not
  /// include the effect of the maximum output.
  ///
  /// The processor clamps the measured level to the range from the first point to the last point.
  /// If the curve has a maximum output, the returned points therefore cover all levels at which the
  /// maximum output changes the gain.
  func points(intensity: Double) -> [Point] {
    var levels = points.map { $0.level }
    if let maximumOutput {
      let soft = maximumOutput - intensity * points[0].gain - Self.softMargin
      if soft < levels[0] { levels.insert(soft, at: 0) }
      let loud = maximumOutput - Self.minimumGain
      if loud > levels[levels.count - 1] { levels.append(loud) }
    }
    return levels.map { Point(level: $0, gain: intensity * lineGain(at: $0)) }
  }

  /// The minimum gain in dB of a band. A maximum output never reduces the gain below this limit.
  static let minimumGain = -80.0

  /// An upper bound in dB of the measurement errors that ``EdgeLoss`` computes for a tone between
  /// two band centres.
  private static let softMargin = 40.0
}

extension BandCurve {
  /// One point of a curve.
  public struct Point: Sendable, Equatable {
    /// The band level in dB SPL.
    public var level: Double

    /// The insertion gain in dB at the band level ``level``.
    public var gain: Double

    /// Creates a point from a band level in dB SPL and a gain in dB.
    public init(level: Double, gain: Double) {
      self.level = level
      self.gain = gain
    }
  }

  /// The default attack time in seconds: 5 ms.
  public static let defaultAttackTime = 0.005

  /// The default release time in seconds: 100 ms.
  public static let defaultReleaseTime = 0.1

  /// The supported number of points in a curve.
  public static let supportedPointCounts: ClosedRange<Int> = 1...128

  /// The supported attack and release times in seconds.
  public static let supportedTimes: ClosedRange<Double> = 0...10

  /// The supported maximum output levels in dB SPL.
  public static let supportedMaximumOutputs: ClosedRange<Double> = 0...200

  /// The reason why a curve is invalid.
  public enum Invalid: Error, Sendable, Equatable {
    /// The curve has no points, or more than 128 points.
    case pointCountOutOfRange(Int)
    /// A point's level or gain is not finite.
    case pointNotFinite(index: Int)
    /// The level of a point is not above the level of the previous point.
    case levelNotRising(index: Int, level: Double)
    /// The attack time is not within 0…10 s.
    case attackTimeOutOfRange(Double)
    /// The release time is not within 0…10 s.
    case releaseTimeOutOfRange(Double)
    /// The maximum output is not within 0…200 dB SPL.
    case maximumOutputOutOfRange(Double)
  }
}

extension BandCurve.Invalid: CustomStringConvertible {
  /// A description of the error in one line.
  public var description: String {
    switch self {
    case .pointCountOutOfRange(let count):
      "a curve has 1…128 points, not \(count)"
    case .pointNotFinite(let index):
      "point \(index): level and gain must be finite"
    case .levelNotRising(let index, let level):
      "point \(index): level \(level) dB SPL is not above the level before it"
    case .attackTimeOutOfRange(let seconds):
      "an attack time is 0…10 s, not \(seconds)"
    case .releaseTimeOutOfRange(let seconds):
      "a release time is 0…10 s, not \(seconds)"
    case .maximumOutputOutOfRange(let level):
      "a maximum output is 0…200 dB SPL, not \(level)"
    }
  }
}
