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

  /// The attack time in seconds of a curve that names none: 5 ms.
  public static let defaultAttackTime = 0.005

  /// The release time in seconds of a curve that names none: 100 ms.
  public static let defaultReleaseTime = 0.1

  /// The numbers of points that a curve may have.
  public static let supportedPointCounts: ClosedRange<Int> = 1...128

  /// The attack and release times in seconds that a curve may have.
  public static let supportedTimes: ClosedRange<Double> = 0...10

  /// The maximum outputs in dB SPL that a curve may have.
  public static let supportedMaximumOutputs: ClosedRange<Double> = 0...200

  /// Why numbers are no curve.
  public enum Failure: Error, Sendable, Equatable {
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

extension BandCurve.Failure: CustomStringConvertible {
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
