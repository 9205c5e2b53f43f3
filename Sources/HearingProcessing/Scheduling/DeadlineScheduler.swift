/// Where every wait of this module happens: a debounce, a time-out.
///
/// `DispatchScheduler` keeps real time, `ManualScheduler` the time of a test, and `ClockScheduler`
/// that of any `Clock`. An implementation must be safe to call from any thread.
public protocol DeadlineScheduler: Sendable {
  /// The time now, counted from an origin of the scheduler's own. It never goes back.
  var now: Duration { get }

  /// Runs `work` once when `deadline` has come; at once, but not before this returns, if it has
  /// passed.
  ///
  /// - Parameters:
  ///   - deadline: On the scale of `now`.
  ///   - work: Runs on a thread of the scheduler's choice, under none of its locks.
  /// - Returns: A token: cancelling or releasing it before the work has begun withdraws the work.
  func schedule(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> ObservationToken
}

extension Duration {
  /// The longest wait that is told from waiting for ever: a hundred years.
  private static let longest = 100.0 * 365 * 86_400

  /// `seconds` as a duration; nil if that is no wait at all: not finite, zero or negative.
  @usableFromInline
  static func wait(seconds: Double) -> Duration? {
    guard seconds.isFinite, seconds > 0 else { return nil }
    return .seconds(min(seconds, longest))
  }
}
