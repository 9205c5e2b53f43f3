public import HearingFitting

/// How reliable a test's result is, judged by the listener's behaviour.
///
///     if !test.reliability.isReliable { print(test.reliability.concerns) }
public struct Reliability: Sendable, Hashable {
  /// A reason not to rely on the result.
  public enum Concern: String, Sendable, Hashable, CaseIterable, Codable {
    /// The listener often pressed in silence, or often near one frequency, as with tinnitus.
    case falseAlarms = "false-alarms"
    /// The listener often missed tones well above the measured thresholds.
    case missedTones = "missed-tones"
    /// Two measurements of a threshold differ too much, or the listener hears differently at the
    /// end.
    case repeats
    /// The answers at some frequency contradict each other.
    case contradictions
    /// The listener never pressed.
    case noResponses = "no-responses"
  }

  /// A threshold that was measured twice, in dB HL.
  public typealias Repeat = MeasurementRecord.Repeat

  /// The number of silences in which presses were counted: the waits before tones, and catch
  /// trials.
  public let silenceCount: Int
  /// The number of those silences in which the listener pressed.
  public let falseAlarmCount: Int
  /// The number of tones that were at least ``clearMargin`` above the measured threshold.
  public let clearToneCount: Int
  /// The number of those tones that were missed.
  public let missedCount: Int
  /// Thresholds that were measured twice.
  public let repeats: [Repeat]
  /// The reasons why the result should not be used; empty if there are none.
  public let concerns: [Concern]

  /// Whether there are no ``concerns``.
  public var isReliable: Bool { concerns.isEmpty }

  /// The minimum level in dB above the threshold at which a missed tone counts.
  public static let clearMargin = 15.0

  /// The rate of false alarms or lapses of a listener who is still reliable.
  static let toleratedErrorRate = 0.03
  /// A count is too high if such a listener reaches it with less than this probability.
  static let significance = 0.004

  static func isTooMany(_ count: Int, of trials: Int) -> Bool {
    BinomialTail.probability(of: count, orMoreIn: trials, eventProbability: toleratedErrorRate)
      < significance
  }
}
