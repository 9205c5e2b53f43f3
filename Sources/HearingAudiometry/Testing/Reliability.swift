public import HearingFitting

/// The reliability of a test's result, estimated from the listener's behaviour.
///
///     if !test.reliability.isReliable { print(test.reliability.concerns) }
public struct Reliability: Sendable, Hashable {
  /// A threshold that was measured twice, in dB HL.
  public typealias Repeat = MeasurementRecord.Repeat

  /// The number of silences in which presses were counted: the waits before tones and the catch
  /// trials.
  public let silenceCount: Int
  /// The number of these silences in which the listener pressed.
  public let falseAlarmCount: Int
  /// The number of tones that were at least ``clearMargin`` above the measured threshold.
  public let clearToneCount: Int
  /// The number of these clear tones that the listener missed.
  public let missedCount: Int
  /// Thresholds that were measured twice.
  public let repeats: [Repeat]
  /// The reasons not to rely on the result; empty if the result is reliable.
  public let concerns: [MeasurementRecord.Note]

  /// Whether there are no ``concerns``.
  public var isReliable: Bool { concerns.isEmpty }

  /// A missed tone counts if its level is at least this much above the threshold, in dB.
  public static let clearMargin = 15.0

  /// A listener is reliable if at most this fraction of the silences has a false alarm, and at most
  /// this fraction of the clear tones has a lapse.
  static let toleratedErrorRate = 0.03
  /// A count of errors is too high if a listener with the error rate ``toleratedErrorRate`` reaches
  /// the count with less than this probability.
  static let significance = 0.004

  static func isTooMany(_ count: Int, of trials: Int) -> Bool {
    BinomialTail.probability(of: count, orMoreIn: trials, eventProbability: toleratedErrorRate)
      < significance
  }
}
