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
    LibraryThread.queue().asyncAfter(deadline: Self.dispatchTime(deadline)) { scheduled.run() }
    return ObservationToken { scheduled.cancel() }
  }

  private static func dispatchTime(_ instant: Duration) -> DispatchTime {
    let (seconds, attoseconds) = instant.components
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    guard nanoseconds > 0 else { return .now() }
    guard nanoseconds < 9e18 else { return .distantFuture }
    return DispatchTime(
      uptimeNanoseconds: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000 + 1)
  }
}
