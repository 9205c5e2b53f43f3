/// Runs work at deadlines. All debounce timers and time-outs of this module use a scheduler.
///
/// `DispatchScheduler` uses real time. `ManualScheduler` uses a time that a test advances.
/// `ClockScheduler` uses any `Clock`. An implementation must be safe to call from any thread.
public protocol DeadlineScheduler: Sendable {
  /// The current time, counted from an origin that the scheduler chooses. The time never decreases.
  var now: Duration { get }

  /// Runs `work` once when `deadline` is reached. If `deadline` has already passed, `work` runs as
  /// soon as possible, but never inside the call of `schedule`.
  ///
  /// - Parameters:
  ///   - deadline: The time at which to run `work`, counted from the origin of `now`.
  ///   - work: Runs on a thread that the scheduler chooses. The scheduler holds no lock while
  ///     `work` runs.
  /// - Returns: A token. If the token is cancelled or released before `work` begins, `work` never
  ///   runs.
  func schedule(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> ObservationToken
}

extension Duration {
  /// The maximum wait in seconds (100 years). Longer waits are limited to this value.
  private static let maximumWait = 100.0 * 365 * 86_400

  /// Converts `seconds` to a duration. Returns nil if `seconds` is NaN, infinite, zero or negative.
  static func wait(seconds: Double) -> Duration? {
    guard seconds.isFinite, seconds > 0 else { return nil }
    return .seconds(min(seconds, maximumWait))
  }
}
