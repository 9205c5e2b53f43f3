public import HearingFitting

/// How far a test's result can be trusted, by what the listener did.
///
///     if !test.reliability.isReliable { print(test.reliability.concerns) }
public struct Reliability: Sendable, Hashable {
  /// A reason not to rely on the result.
  public enum Concern: String, Sendable, Hashable, CaseIterable, Codable {
    /// The listener often pressed in silence.
    case falseAlarms = "false-alarms"
    /// The listener often missed tones that are well above the thresholds found.
    case missedTones = "missed-tones"
    /// The two measurements of a threshold differ too much.
    case repeats
    /// The answers at some frequency contradict each other.
    case contradictions
    /// The listener never pressed.
    case noResponses = "no-responses"
  }

  /// A threshold that was measured twice, in dB HL.
  public typealias Repeat = MeasurementRecord.Repeat

  /// How many silences were watched: the waits before the tones, and the catch trials.
  public let silenceCount: Int
  /// In how many of them the listener pressed.
  public let falseAlarmCount: Int
  /// How many tones were at least ``clearMargin`` above the threshold found.
  public let clearToneCount: Int
  /// How many of those were missed.
  public let missedCount: Int
  /// Thresholds that were measured twice.
  public let repeats: [Repeat]
  /// Why the result should not be used; none: nothing speaks against it.
  public let concerns: [Concern]

  /// Whether nothing speaks against the result.
  public var isReliable: Bool { concerns.isEmpty }

  /// By how many dB a tone is above the threshold for a miss to count.
  public static let clearMargin = 15.0

  /// A count is too high where a listener with this share of false alarms or lapses…
  static let toleratedShare = 0.03
  /// …would reach it with at most this probability.
  static let significance = 0.004

  static func isTooMany(_ count: Int, of trials: Int) -> Bool {
    BinomialTail.probability(of: count, orMoreIn: trials, share: toleratedShare) < significance
  }
}
