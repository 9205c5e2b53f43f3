/// Runs work at deadlines; every debounce and time-out of this module uses one.
///
/// `DispatchScheduler` uses real time, `ManualScheduler` a time that a test advances, and
/// `ClockScheduler` any `Clock`. An implementation must be safe to call from any thread.
public protocol DeadlineScheduler: Sendable {
  /// The current time since an origin that the scheduler chooses. It never decreases.
  var now: Duration { get }

  /// Runs `work` once when `deadline` is reached. If it has passed, runs `work` at once, but never
  /// inside this call.
  ///
  /// - Parameters:
  ///   - deadline: A time since the origin of `now`.
  ///   - work: Runs on a thread that the scheduler chooses, without holding its locks.
  /// - Returns: A token; cancelling or releasing it before the work has begun cancels the work.
  func schedule(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> ObservationToken
}

extension Duration {
  /// The maximum wait, 100 years in seconds; longer waits are shortened to it.
  private static let maximumWait = 100.0 * 365 * 86_400

  /// `seconds` as a duration; nil if it is not finite and positive.
  static func wait(seconds: Double) -> Duration? {
    guard seconds.isFinite, seconds > 0 else { return nil }
    return .seconds(min(seconds, maximumWait))
  }
}
