/// The scheduler of real time.
///
/// All instances are handles on one timer shared by the process. Due work runs on Dispatch's
/// concurrent queues, so that a slow handler delays nobody else's time-out. Time stands still while
/// the machine sleeps, as it does for other Dispatch timers.
public final class DispatchScheduler: DeadlineScheduler {
  /// A handle on the shared timer.
  public init() {}

  /// The time that the machine has been awake.
  public var now: Duration { SharedTimer.shared.now }

  /// Runs `work` on a global queue when `deadline` has come.
  public func schedule(
    at deadline: Duration, _ work: @escaping @Sendable () -> Void
  ) -> ObservationToken {
    SharedTimer.shared.schedule(at: deadline, work)
  }
}
