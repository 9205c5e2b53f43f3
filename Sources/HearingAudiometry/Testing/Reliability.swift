public import HearingFitting

/// The reliability of a test's result, estimated from the listener's behaviour.
///
///     if !test.reliability.isReliable { print(test.reliability.concerns) }
public struct Reliability: Sendable, Hashable {
  /// Two measurements of the same threshold, in dB HL.
  public typealias Repeat = MeasurementRecord.Repeat

  /// The number of silent intervals. The wait at the start of each presentation is a silent
  /// interval. In a catch trial, the silence after the wait is another silent interval.
  public let silenceCount: Int
  /// The number of silent intervals in which the listener pressed the button.
  public let falseAlarmCount: Int
  /// The number of clear tones. The level of a clear tone was at least ``clearMargin`` above the
  /// measured threshold.
  public let clearToneCount: Int
  /// The number of clear tones that the listener missed. See ``clearToneCount``.
  public let missedCount: Int
  /// The thresholds that were measured twice. The list omits frequencies at which the listener
  /// never responded.
  public let repeats: [Repeat]
  /// The reasons why the result is not reliable. The list is empty if the test has ended and the
  /// result is reliable.
  public let concerns: [MeasurementRecord.Note]

  /// Whether ``concerns`` is empty.
  public var isReliable: Bool { concerns.isEmpty }

  /// The minimum level of a clear tone, in dB above the measured threshold.
  public static let clearMargin = 15.0

  /// The tolerated rate of each kind of error: false alarms in silent intervals, and clear tones
  /// without a response.
  static let toleratedErrorRate = 0.03
  /// The significance level of the statistical tests for too many errors. Each statistical test
  /// assumes a listener with the error rate ``toleratedErrorRate``. The statistical test computes
  /// the probability that this listener makes at least the observed number of errors. If the
  /// probability is below the significance level, the listener makes too many errors.
  static let significance = 0.004

  /// The log-likelihood ratio above which the listener counts as a listener who ignores the tones.
  /// The ratio compares a listener who ignores the tones with a listener who responds to the tones.
  /// If this constant were 0, 10 % of the tests of ordinary listeners at a single frequency would
  /// be unreliable.
  static let ignoringEvidence = 1.5

  static func isTooMany(_ count: Int, of trials: Int) -> Bool {
    BinomialTail.probability(of: count, orMoreIn: trials, eventProbability: toleratedErrorRate)
      < significance
  }
}
