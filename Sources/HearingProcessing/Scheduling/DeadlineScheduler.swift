/// Calls closures at deadlines. All debounce timers and time-outs of this module use a
/// `DeadlineScheduler`.
///
/// `DispatchScheduler` uses real time. `ManualScheduler` uses a time that a test advances.
/// `ClockScheduler` uses the time of any `Clock`. The methods of a scheduler must be safe to call
/// from any thread.
public protocol DeadlineScheduler: Sendable {
  /// The time that has passed since an origin. The scheduler chooses the origin. `now` never
  /// decreases.
  var now: Duration { get }

  /// Runs `work` once when `deadline` is reached. If `deadline` has already passed, `work` runs as
  /// soon as possible. The method `schedule` itself never calls `work`.
  ///
  /// - Parameters:
  ///   - deadline: The time at which to run `work`, measured from the same origin as `now`.
  ///   - work: The closure to run. The scheduler chooses the thread, and holds no lock while `work`
  ///     runs.
  /// - Returns: A token that can cancel the work. If the token is cancelled or released before
  ///   `work` begins, `work` never runs.
  func schedule(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> ObservationToken
}

extension Duration {
  /// The maximum wait in seconds: 100 years. `wait(seconds:)` reduces longer waits to this maximum.
  private static let maximumWait = 100.0 * 365 * 86_400

  /// Converts `seconds` to a duration. Returns nil if `seconds` is NaN, infinite, zero or negative.
  static func wait(seconds: Double) -> Duration? {
    guard seconds.isFinite, seconds > 0 else { return nil }
    return .seconds(min(seconds, maximumWait))
  }
}
