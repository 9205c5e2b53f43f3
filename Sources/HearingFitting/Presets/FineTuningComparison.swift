/// Finds the ``FineTuning`` that a listener prefers. The listener compares pairs of fine tunings,
/// called settings. At most nine answers are necessary.
///
///     var comparison = FineTuningComparison()
///     while let (first, second) = comparison.next {
///       comparison.answer(play(first) > play(second) ? .first : .second)
///     }
///     preset.fineTuning = comparison.best
///
/// The comparison begins with loudness, continues with brightness and ends with crispness. Each
/// parameter needs at most three answers. Each answer halves the range that contains the preferred
/// value of the parameter. If the listener prefers the first setting, the lower half of the range
/// remains. The gains of the two settings of a pair differ by at least 3 dB at some frequencies.
/// Therefore the difference is audible.
public struct FineTuningComparison: Sendable, Equatable {
  /// Which of two settings a listener prefers.
  public enum Preference: Sendable, Hashable {
    case first
    case second
    /// The listener has no preference.
    case same
  }

  /// The maximum number of answers: 9.
  public static let maximumAnswerCount = 3 * answersPerValue
  private static let answersPerValue = 3
  /// Half of the minimum difference between the parameter values of the two settings of a pair. A
  /// difference of 0.25 corresponds to 1.5 dB.
  private static let halfDifference = 0.25

  /// The number of answers that were recorded.
  public private(set) var answerCount = 0
  private var found: [Double] = []
  private var low = -1.0
  private var high = 1.0
  private var remaining = answersPerValue

  /// Creates a comparison without answers.
  public init() {}

  /// The two settings to compare; nil when the comparison is over.
  public var next: (first: FineTuning, second: FineTuning)? {
    guard found.count < 3 else { return nil }
    let half = max((high - low) / 4, Self.halfDifference)
    let middle = (low + high) / 2
    return (tuning(with: middle - half), tuning(with: middle + half))
  }

  /// The best setting according to the recorded answers.
  public var best: FineTuning { tuning(with: (low + high) / 2) }

  /// Records the answer to ``next``. The answer has no effect when the comparison is over.
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

  /// A fine tuning with `value` for the parameter that is being compared. Parameters that were
  /// compared before have the values that were found. Parameters that were not yet compared are 0.
  private func tuning(with value: Double) -> FineTuning {
    let values = found + (found.count < 3 ? [value] : []) + [0, 0]
    return FineTuning(valid: values[0], values[1], values[2])
  }
}
