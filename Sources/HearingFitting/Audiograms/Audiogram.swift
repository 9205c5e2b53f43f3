import Foundation

/// The hearing thresholds of one ear, in dB HL by frequency in Hz.
///
///     let audiogram = try Audiogram([250: 35, 500: 40, 1000: 45, 4000: 65])
///     audiogram.threshold(at: 2000)      // 55: on the straight line on log frequency
///     Audiogram.n3.threshold(at: 8000)   // 65: held beyond the last point
///
/// An audiogram always has at least one point and at most ``maximumPointCount``; each frequency
/// stands once, within ``frequencyRange``, with a threshold within ``thresholdRange``. An ear
/// without a measurement has no audiogram (see ``HearingProfile``); it is not an audiogram of
/// zeros.
///
/// This type is not for bone-conduction or speech measures, nor for levels in dB SPL.
public struct Audiogram: Sendable, Equatable {
  /// Frequencies that a point may have: 100 Hz to 20 kHz.
  public static let frequencyRange: ClosedRange<Double> = 100...20_000

  /// Thresholds that a point may have: -10 to 120 dB HL.
  public static let thresholdRange: ClosedRange<Double> = -10...120

  /// Thresholds that are accepted on import and clamped to ``thresholdRange``: -20 to 130 dB HL.
  public static let importedThresholdRange: ClosedRange<Double> = -20...130

  /// The largest number of points: 10,000, far beyond any audiometer.
  public static let maximumPointCount = 10_000

  /// The measured points, by rising frequency.
  public let points: [Point]

  private let table: FrequencyTable

  /// An audiogram of the given points, in any order.
  ///
  /// - Throws: ``Invalid``, which names the point.
  public init(points: [Point]) throws(Invalid) {
    if let reason = Invalid.first(in: points) { throw reason }
    self.init(validated: points)
  }

  /// An audiogram of points from a file or a device: as ``init(points:)``, but thresholds within
  /// ``importedThresholdRange`` that lie beyond ``thresholdRange`` are clamped and the point is
  /// flagged ``Point/isClamped``.
  ///
  /// - Throws: ``Invalid``, which names the point.
  public init(importing points: [Point]) throws(Invalid) {
    try self.init(points: points.map { $0.clamped() })
  }

  /// An audiogram written as a literal of thresholds in dB HL by frequency in Hz.
  ///
  ///     try Audiogram([250: 35, 500: 40])
  ///
  /// A frequency that stands twice is an error, as in every other initialiser.
  ///
  /// - Throws: ``Invalid``, which names the point.
  public init(_ thresholds: KeyValuePairs<Double, Double>) throws(Invalid) {
    try self.init(points: thresholds.map { Point(frequency: $0.key, threshold: $0.value) })
  }

  /// An audiogram of thresholds in dB HL by frequency in Hz.
  ///
  /// - Throws: ``Invalid``, which names the point.
  @_disfavoredOverload
  public init(_ thresholds: [Double: Double]) throws(Invalid) {
    try self.init(points: thresholds.map { Point(frequency: $0.key, threshold: $0.value) })
  }

  /// Points that are known to be valid: checked just before, or constants of this module.
  init(validated points: [Point]) {
    self.points = points.sorted { $0.frequency < $1.frequency }
    table = FrequencyTable(
      frequencies: self.points.map(\.frequency), values: self.points.map(\.threshold))
  }

  /// The threshold in dB HL at any frequency above 0, in Hz: the straight line on the logarithm of
  /// frequency between the two nearest points, held at both ends.
  ///
  /// A no-response point counts at the level that was tested.
  public func threshold(at frequency: Double) -> Double {
    table.value(at: frequency)
  }

  /// The frequencies strictly between two points where the threshold passes through `threshold`.
  func crossings(of threshold: Double) -> [Double] {
    table.crossings(of: threshold)
  }
}
