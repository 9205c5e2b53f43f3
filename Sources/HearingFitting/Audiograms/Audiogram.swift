/// The hearing thresholds of one ear in dB HL, at one or more frequencies in Hz.
///
///     let audiogram = try Audiogram([250: 35, 500: 40, 1000: 45, 4000: 65])
///     audiogram.threshold(at: 2000)      // 55: interpolated on log frequency
///     Audiogram.n3.threshold(at: 8000)   // 65: constant above the last point
///
/// An audiogram has 1 to ``maximumPointCount`` points. Each point contains a frequency and a
/// threshold. The frequencies are unique and are within ``frequencyRange``. The thresholds are
/// within ``thresholdRange``. An ear that was not measured has no audiogram (see
/// ``HearingProfile``). Do not create an audiogram with thresholds of 0 dB HL for an ear that was
/// not measured.
///
/// An ``Audiogram`` does not contain bone-conduction thresholds, results of speech audiometry or
/// levels in dB SPL.
public struct Audiogram: Sendable, Equatable {
  /// The permitted frequencies of a point: 100 Hz to 20 kHz.
  public static let frequencyRange: ClosedRange<Double> = 100...20_000

  /// The permitted thresholds of a point: -10 to 120 dB HL.
  public static let thresholdRange: ClosedRange<Double> = -10...120

  /// The thresholds that ``init(importing:)`` accepts: -20 to 130 dB HL. The initialiser clamps
  /// these thresholds to ``thresholdRange``.
  public static let importedThresholdRange: ClosedRange<Double> = -20...130

  /// The maximum number of points of an audiogram: 10,000. An audiometer measures far fewer points.
  public static let maximumPointCount = 10_000

  /// The measured points, in order of rising frequency.
  public let points: [Point]

  /// The thresholds in dB HL as a function of frequency in Hz.
  let table: FrequencyTable

  /// Creates an audiogram from points in any order.
  ///
  /// - Throws: ``Invalid`` if the points are not a valid audiogram.
  public init(points: [Point]) throws(Invalid) {
    if let reason = Invalid.first(in: points) { throw reason }
    self.init(validated: points)
  }

  /// Creates an audiogram from points that a file or a device supplies.
  ///
  /// If a threshold is outside ``thresholdRange`` but within ``importedThresholdRange``, the
  /// threshold is clamped and ``Point/isClamped`` is set. After the clamping, the points must be
  /// valid points for ``init(points:)``.
  ///
  /// - Throws: ``Invalid`` if the points are not a valid audiogram.
  public init(importing points: [Point]) throws(Invalid) {
    try self.init(points: points.map { $0.clamped() })
  }

  /// Creates an audiogram from a dictionary literal of thresholds in dB HL by frequency in Hz.
  ///
  ///     try Audiogram([250: 35, 500: 40])
  ///
  /// A frequency that occurs twice is an error.
  ///
  /// - Throws: ``Invalid`` if the points are not a valid audiogram.
  public init(_ thresholds: KeyValuePairs<Double, Double>) throws(Invalid) {
    try self.init(points: thresholds.map { Point(frequency: $0.key, threshold: $0.value) })
  }

  /// Creates an audiogram from thresholds in dB HL by frequency in Hz.
  ///
  /// - Throws: ``Invalid`` if the points are not a valid audiogram.
  @_disfavoredOverload
  public init(_ thresholds: [Double: Double]) throws(Invalid) {
    try self.init(points: thresholds.map { Point(frequency: $0.key, threshold: $0.value) })
  }

  /// Creates an audiogram without validation. The points must already be validated, or must be
  /// constants of this module.
  init(validated points: [Point]) {
    self.points = points.sorted { $0.frequency < $1.frequency }
    table = FrequencyTable(
      frequencies: self.points.map { $0.frequency }, values: self.points.map { $0.threshold })
  }

  /// The threshold in dB HL at any frequency above 0 Hz.
  ///
  /// Between two points, the threshold is linear in the logarithm of frequency. Below the first
  /// point and above the last point, the threshold is constant. If the listener did not respond at
  /// a point, the threshold at this point is the maximum tested level. A ``Fitting`` assumes a
  /// higher threshold at such a point (see ``AssumedThreshold``).
  public func threshold(at frequency: Double) -> Double { table.value(at: frequency) }
}

extension Audiogram {
  /// One measured point: a frequency, a threshold, and flags that describe the measurement.
  ///
  ///     Audiogram.Point(frequency: 4000, threshold: 110, isNoResponse: true)
  ///
  /// The initialiser of a point does not validate the values. The initialisers of ``Audiogram``
  /// validate all points.
  public struct Point: Sendable, Equatable {
    /// The frequency of the point in Hz.
    public var frequency: Double
    /// The threshold in dB HL. If ``isNoResponse`` is true, the threshold is the maximum tested
    /// level.
    public var threshold: Double
    /// Whether the other ear was masked while this point was measured.
    public var isMasked: Bool
    /// Whether the listener did not respond to any tone up to the level ``threshold``.
    public var isNoResponse: Bool
    /// Whether the imported threshold was outside ``Audiogram/thresholdRange``, or reached a limit
    /// of the device. In both cases, ``threshold`` is the limit that is nearest to the imported
    /// threshold.
    public var isClamped: Bool

    /// Creates a point with a frequency in Hz and a threshold in dB HL. By default, all flags are
    /// false.
    public init(
      frequency: Double, threshold: Double, isMasked: Bool = false, isNoResponse: Bool = false,
      isClamped: Bool = false
    ) {
      self.frequency = frequency
      self.threshold = threshold
      self.isMasked = isMasked
      self.isNoResponse = isNoResponse
      self.isClamped = isClamped
    }

    /// Limits the threshold to `range`, the range of thresholds that a device can report. Sets
    /// ``isClamped`` if the threshold was at an end of `range` or outside `range`.
    func limited(to range: ClosedRange<Double>) -> Point {
      var point = self
      point.threshold = threshold.limited(to: range)
      point.isClamped = threshold <= range.lowerBound || threshold >= range.upperBound
      return point
    }

    /// Returns a point with a threshold within ``thresholdRange``. If the threshold is outside
    /// ``thresholdRange`` but within ``importedThresholdRange``, the threshold is clamped and
    /// ``isClamped`` is set. Any other point is returned unchanged.
    func clamped() -> Point {
      guard Audiogram.importedThresholdRange.contains(threshold),
        !Audiogram.thresholdRange.contains(threshold)
      else { return self }
      return limited(to: Audiogram.thresholdRange)
    }
  }

  /// The reason why a list of points is not a valid audiogram.
  public enum Invalid: Error, Sendable, Equatable, CustomStringConvertible {
    /// The list of points is empty.
    case noPoints
    /// There are more points than ``Audiogram/maximumPointCount``.
    case tooManyPoints(count: Int)
    /// A frequency in Hz is not finite or is outside ``Audiogram/frequencyRange``. `index` is the
    /// position of the point in the list of points, counted from 0.
    case frequencyOutOfRange(index: Int, frequency: Double)
    /// A threshold in dB HL is not finite or is outside ``Audiogram/thresholdRange``.
    case thresholdOutOfRange(index: Int, frequency: Double, threshold: Double)
    /// A frequency in Hz occurs twice. `index` is the position of the second point with this
    /// frequency, counted from 0.
    case duplicateFrequency(index: Int, frequency: Double)

    /// The first error in `points`, or nil if all points are valid.
    static func first(in points: [Point]) -> Invalid? {
      guard !points.isEmpty else { return .noPoints }
      guard points.count <= Audiogram.maximumPointCount else {
        return .tooManyPoints(count: points.count)
      }
      var seen: Set<Double> = []
      for (index, point) in points.enumerated() {
        guard Audiogram.frequencyRange.contains(point.frequency) else {
          return .frequencyOutOfRange(index: index, frequency: point.frequency)
        }
        guard Audiogram.thresholdRange.contains(point.threshold) else {
          return .thresholdOutOfRange(
            index: index, frequency: point.frequency, threshold: point.threshold)
        }
        guard seen.insert(point.frequency).inserted else {
          return .duplicateFrequency(index: index, frequency: point.frequency)
        }
      }
      return nil
    }

    /// A one-line description of the error, with the index of the point and the invalid value.
    public var description: String {
      switch self {
      case .noPoints, .tooManyPoints: reason
      case .frequencyOutOfRange(let index, _), .thresholdOutOfRange(let index, _, _),
        .duplicateFrequency(let index, _):
        "point \(index): \(reason)"
      }
    }

    /// The description of the error without the index of the point. Document parsers report the
    /// position of the point in the document instead of the index.
    var reason: String {
      switch self {
      case .noPoints:
        "an audiogram needs at least one point"
      case .tooManyPoints(let count):
        "\(count) points, but an audiogram has at most \(Audiogram.maximumPointCount)"
      case .frequencyOutOfRange(_, let frequency):
        "frequency \(frequency.plain) Hz is outside 100 to 20000 Hz"
      case .thresholdOutOfRange(_, let frequency, let threshold):
        "threshold \(threshold.plain) dB HL at \(frequency.plain) Hz is outside -10 to 120 dB HL "
          + "(imports accept -20 to 130 dB HL)"
      case .duplicateFrequency(_, let frequency):
        "\(frequency.plain) Hz occurs more than once"
      }
    }
  }
}
