internal import Dispatch

/// A scheduler that uses real time and Dispatch queues.
///
/// Each scheduled closure runs on its own queue. Therefore a slow closure does not delay the
/// closures of other timers. The time of this scheduler does not advance while the machine sleeps.
public final class DispatchScheduler: DeadlineScheduler {
  /// Creates a scheduler. `now` is the same for all instances.
  public init() {}

  /// The time since the machine started, without the time for which the machine was asleep.
  public var now: Duration {
    .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  /// Runs `work` on a background queue when `deadline` is reached.
  public func schedule(
    at deadline: Duration, _ work: @escaping @Sendable () -> Void
  ) -> ObservationToken {
    let scheduled = CancellableWork { _ in work() }
    let wait = Duration.wait(seconds: (deadline - now) / .seconds(1)) ?? .zero
    let time = DispatchTime.now() + wait / .seconds(1)
    LibraryThread.queue().asyncAfter(deadline: time) { scheduled.run() }
    return ObservationToken { scheduled.cancel() }
  }
}
