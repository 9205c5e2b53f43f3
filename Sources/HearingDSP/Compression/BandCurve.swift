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
/// Points are joined by straight lines. Beyond both ends, the gain is constant and never
/// extrapolated. A curve holds no state: the level is measured elsewhere.
public struct BandCurve: Sendable, Equatable {
  /// The points in order of rising level; one point is a fixed gain.
  public let points: [Point]

  /// The time constant in seconds with which the level in dB follows a rise.
  public let attackTime: Double

  /// The time constant in seconds with which the level in dB follows a fall.
  public let releaseTime: Double

  /// The level in dB SPL above which gain never raises the band's output; nil for none.
  ///
  /// Where level plus gain would exceed it, the gain is reduced, even below 0 dB. It holds for a
  /// steady tone between two bands as well, if both have a maximum output; broadband sound can
  /// therefore be a few dB below it. The measured level follows the sound with the attack time, so
  /// a sudden sound exceeds the maximum for that time: a maximum output is for comfort; the
  /// ceilings of ``ProcessorSettings`` are for safety. See <doc:LevelsAndCalibration>.
  public let maximumOutput: Double?

  /// A gain of `decibels` dB at every level.
  public static func gain(_ decibels: Double) -> BandCurve {
    BandCurve(
      checked: [Point(level: 0, gain: decibels)], attackTime: defaultAttackTime,
      releaseTime: defaultReleaseTime, maximumOutput: nil)
  }

  /// A curve through `points`.
  ///
  /// - Parameters:
  ///   - points: 1…128 points, finite, with strictly rising levels.
  ///   - attackTime: 0…10 s; default 5 ms.
  ///   - releaseTime: 0…10 s; default 100 ms.
  ///   - maximumOutput: 0…200 dB SPL; default none.
  /// - Throws: ``Invalid`` that names the point, the time or the level.
  public init(
    points: [Point], attackTime: Double = defaultAttackTime,
    releaseTime: Double = defaultReleaseTime, maximumOutput: Double? = nil
  ) throws(Invalid) {
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
    if let maximumOutput, !Self.supportedMaximumOutputs.contains(maximumOutput) {
      throw .maximumOutputOutOfRange(maximumOutput)
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

  /// The same curve with another maximum output in dB SPL, 0…200; nil for none.
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

  /// The gain in dB at `level`, scaled by `intensity`; the maximum output is not scaled.
  func gain(at level: Double, intensity: Double) -> Double {
    let gain = intensity * lineGain(at: level)
    guard let maximumOutput else { return gain }
    return min(gain, max(maximumOutput - level, Self.minimumGain))
  }

  /// The gain in dB on the line through the points, without the maximum output.
  func lineGain(at level: Double) -> Double {
    guard let next = points.firstIndex(where: { $0.level > level }) else {
      return points[points.count - 1].gain
    }
    guard next > 0 else { return points[0].gain }
    let (low, high) = (points[next - 1], points[next])
    let fraction = (level - low.level) / (high.level - low.level)
    return low.gain + fraction * (high.gain - low.gain)
  }

  /// The gain in dB if it is the same at every level; nil otherwise, and nil with a maximum output.
  public var fixedGain: Double? { fixedGain(intensity: 1) }

  /// The gain in dB, scaled by `intensity`, if it is the same at every level.
  func fixedGain(intensity: Double) -> Double? {
    guard maximumOutput == nil else { return nil }
    let first = points[0].gain
    return intensity == 0 || points.allSatisfy({ $0.gain == first }) ? intensity * first : nil
  }

  /// The points of the curve with the gain scaled by `intensity`, without the maximum output.
  ///
  /// The ends are the levels between which the level in the band is followed. With a maximum output,
  /// they reach from where it has no effect to where it reduces the gain as far as it ever does.
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

  /// In dB; a maximum output never reduces the gain below this value.
  static let minimumGain = -80.0

  /// In dB; neighbouring bands measure a tone between them by less than this too low.
  private static let softMargin = 40.0
}

extension BandCurve {
  /// One point of a curve.
  public struct Point: Sendable, Equatable {
    /// The level in the band in dB SPL.
    public var level: Double

    /// The insertion gain in dB at that level.
    public var gain: Double

    /// A gain in dB at a band level in dB SPL.
    public init(level: Double, gain: Double) {
      self.level = level
      self.gain = gain
    }
  }

  /// The default attack time in seconds: 5 ms.
  public static let defaultAttackTime = 0.005

  /// The default release time in seconds: 100 ms.
  public static let defaultReleaseTime = 0.1

  /// The numbers of points that a curve may have.
  public static let supportedPointCounts: ClosedRange<Int> = 1...128

  /// The attack and release times in seconds that a curve may have.
  public static let supportedTimes: ClosedRange<Double> = 0...10

  /// The maximum outputs in dB SPL that a curve may have.
  public static let supportedMaximumOutputs: ClosedRange<Double> = 0...200

  /// Why a curve is not valid.
  public enum Invalid: Error, Sendable, Equatable {
    /// There are no points, or more than 128.
    case pointCountOutOfRange(Int)
    /// A point's level or gain is not finite.
    case pointNotFinite(index: Int)
    /// A point's level is not above the one before it.
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
  /// The failure in one line.
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
