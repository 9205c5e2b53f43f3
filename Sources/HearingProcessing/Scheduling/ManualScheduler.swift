/// A scheduler whose time passes only in `advance(by:)`: for the tests of this package and of apps.
///
///     let scheduler = ManualScheduler()
///     let controller = ProcessingController(scheduler: scheduler)
///     …
///     scheduler.advance(by: .seconds(0.2))     // all due work has run
public final class ManualScheduler: DeadlineScheduler {
  private let queue = DeadlineQueue()
  private let time: Lock<Duration>

  /// Creates a scheduler at time zero.
  public init() {
    time = Lock(.zero)
  }

  /// The current time; while work runs, that work's deadline.
  public var now: Duration { time.withLock { $0 } }

  /// Schedules `work`; it runs inside the `advance(by:)` that reaches `deadline`, and inside the
  /// next one if the deadline has passed.
  public func schedule(
    at deadline: Duration, _ work: @escaping @Sendable () -> Void
  ) -> ObservationToken {
    let scheduled = queue.add(at: deadline, work)
    return ObservationToken { scheduled.cancel() }
  }

  /// Advances time and runs the work that becomes due, on the calling thread before it returns.
  ///
  /// Work runs in order of deadline, equal deadlines in order of scheduling. Work that it schedules
  /// within the interval runs as well.
  ///
  /// - Parameter duration: Zero or more.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "time cannot go back by \(duration)")
    let end = now + duration
    while let work = queue.popFirst(dueAt: end) {
      moveTime(to: work.deadline)
      work.run()
    }
    moveTime(to: end)
  }

  private func moveTime(to instant: Duration) {
    time.withLock { $0 = max($0, instant) }
  }
}
