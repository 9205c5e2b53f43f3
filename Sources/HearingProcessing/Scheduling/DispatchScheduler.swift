internal import Dispatch

/// A scheduler that uses real time and Dispatch queues.
///
/// Each work item runs on its own queue, so that a slow handler does not delay other time-outs. The
/// time of this scheduler does not advance while the machine sleeps.
public final class DispatchScheduler: DeadlineScheduler {
  /// Creates a scheduler. All instances have the same time.
  public init() {}

  /// The time since the machine started, excluding sleep.
  public var now: Duration {
    .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  /// Runs `work` on a queue of this package when `deadline` is reached.
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
