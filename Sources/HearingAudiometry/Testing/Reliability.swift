public import HearingFitting

/// The reliability of a test's result. The reliability is estimated from the listener's behaviour.
///
///     if !test.reliability.isReliable { print(test.reliability.concerns) }
public struct Reliability: Sendable, Hashable {
  /// A threshold that was measured twice, in dB HL.
  public typealias Repeat = MeasurementRecord.Repeat

  /// The number of silent intervals in which presses were counted. The silent intervals are the
  /// waits before tones, and the catch trials.
  public let silenceCount: Int
  /// The number of these silent intervals in which the listener pressed the button.
  public let falseAlarmCount: Int
  /// The number of clear tones. The level of a clear tone was at least ``clearMargin`` above the
  /// measured threshold.
  public let clearToneCount: Int
  /// The number of these clear tones that the listener missed.
  public let missedCount: Int
  /// The thresholds that were measured twice.
  public let repeats: [Repeat]
  /// The reasons not to rely on the result. Empty if the result is reliable.
  public let concerns: [MeasurementRecord.Note]

  /// Whether there are no reasons in ``concerns``.
  public var isReliable: Bool { concerns.isEmpty }

  /// A tone is clear if its level is at least this much above the threshold, in dB.
  public static let clearMargin = 15.0

  /// The error rate that is tolerated, for false alarms in silent intervals and for missed clear
  /// tones.
  static let toleratedErrorRate = 0.03
  /// A number of errors is too high if a listener with the error rate ``toleratedErrorRate``
  /// reaches it with less than this probability.
  static let significance = 0.004

  static func isTooMany(_ count: Int, of trials: Int) -> Bool {
    BinomialTail.probability(of: count, orMoreIn: trials, eventProbability: toleratedErrorRate)
      < significance
  }
}
