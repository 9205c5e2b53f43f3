/// Finds a listener's ``FineTuning`` by comparing two settings at a time, in at most nine answers.
///
///     var comparison = FineTuningComparison()
///     while let (first, second) = comparison.next {
///       comparison.answer(play(first) > play(second) ? .first : .second)
///     }
///     preset.fineTuning = comparison.best
///
/// Loudness comes first, then brightness, then crispness, with three answers each. An answer halves
/// the range in which the preferred value lies: if the first of two settings is preferred, that
/// value is nearer to the first. The two settings differ by at least 3 dB, so that the difference
/// can be heard.
public struct FineTuningComparison: Sendable, Equatable {
  /// Which of two settings a listener prefers.
  public enum Preference: Sendable, Hashable {
    case first
    case second
    /// No preference.
    case same
  }

  /// The maximum number of answers: 9.
  public static let maximumAnswerCount = 3 * answersPerValue
  private static let answersPerValue = 3
  /// Half the minimum difference of two settings: 1.5 dB.
  private static let halfDifference = 0.25

  /// The answers so far.
  public private(set) var answerCount = 0
  private var found: [Double] = []
  private var low = -1.0
  private var high = 1.0
  private var remaining = answersPerValue

  /// A comparison without answers.
  public init() {}

  /// The two settings to compare; nil: the comparison is over.
  public var next: (first: FineTuning, second: FineTuning)? {
    guard found.count < 3 else { return nil }
    let half = max((high - low) / 4, Self.halfDifference)
    let middle = (low + high) / 2
    return (tuning(with: middle - half), tuning(with: middle + half))
  }

  /// The best setting so far.
  public var best: FineTuning { tuning(with: (low + high) / 2) }

  /// Records the answer to ``next``; has no effect when the comparison is over.
  public mutating func answer(_ preference: Preference) {
    guard found.count < 3 else { return }
    let middle = (low + high) / 2
    answerCount += 1
    remaining -= 1
    switch preference {
    case .first: high = middle
    case .second: low = middle
    case .same: (low, high, remaining) = (middle, middle, 0)
    }
    guard remaining == 0 else { return }
    found.append((low + high) / 2)
    (low, high, remaining) = (-1, 1, Self.answersPerValue)
    if found.count == 3 { (low, high) = (0, 0) }
  }

  /// The values found, and `value` for the one that is being sought.
  private func tuning(with value: Double) -> FineTuning {
    let values = found + (found.count < 3 ? [value] : []) + [0, 0]
    return FineTuning(valid: values[0], values[1], values[2])
  }
}
