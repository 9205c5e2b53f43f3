/// A scheduler whose time passes only in `advance(by:)`: for the tests of this package and of apps.
///
///     let scheduler = ManualScheduler()
///     let controller = ProcessingController(scheduler: scheduler)
///     …
///     scheduler.advance(by: .seconds(0.2))     // all due work has run
public final class ManualScheduler: DeadlineScheduler {
  /// In descending order of deadline, so that the next work is the last. Equal deadlines are in
  /// reverse order of scheduling.
  private let waiting = Lock<[ScheduledWork]>([])
  private let time = Lock(Duration.zero)

  /// Creates a scheduler at time zero.
  public init() {}

  /// The current time; while work runs, that work's deadline.
  public var now: Duration { time.withLock { $0 } }

  /// Schedules `work`; it runs inside the `advance(by:)` that reaches `deadline`, and inside the
  /// next one if the deadline has passed.
  public func schedule(
    at deadline: Duration, _ work: @escaping @Sendable () -> Void
  ) -> ObservationToken {
    let scheduled = ScheduledWork(deadline: deadline, work: work)
    waiting.withLock { waiting in
      var (low, high) = (0, waiting.count)
      while low < high {
        let middle = (low + high) / 2
        if waiting[middle].deadline > deadline { low = middle + 1 } else { high = middle }
      }
      waiting.insert(scheduled, at: low)
    }
    return ObservationToken { [weak self] in
      scheduled.cancel()
      self?.waiting.withLock { $0.removeAll { $0 === scheduled } }
    }
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
    while let work = nextWork(dueAt: end) {
      moveTime(to: work.deadline)
      work.run()
    }
    moveTime(to: end)
  }

  private func nextWork(dueAt time: Duration) -> ScheduledWork? {
    waiting.withLock { waiting in
      guard let next = waiting.last, next.deadline <= time else { return nil }
      return waiting.popLast()
    }
  }

  private func moveTime(to instant: Duration) {
    time.withLock { $0 = max($0, instant) }
  }
}
