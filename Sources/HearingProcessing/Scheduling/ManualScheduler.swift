/// A scheduler for tests. The time of the scheduler advances only in `advance(by:)`.
///
///     let scheduler = ManualScheduler()
///     let controller = ProcessingController(scheduler: scheduler)
///     …
///     scheduler.advance(by: .seconds(0.2))     // all due work has run
public final class ManualScheduler: DeadlineScheduler {
  /// The waiting work items, sorted by descending deadline. The last element is therefore the item
  /// that runs next. Items with equal deadlines are in reverse order of scheduling.
  private let waiting = Lock<[(deadline: Duration, work: CancellableWork)]>([])
  private let time = Lock(Duration.zero)

  /// Creates a scheduler at time zero.
  public init() {}

  /// The current time. While a work item runs, the current time is the deadline of this item.
  public var now: Duration { time.withLock { $0 } }

  /// Schedules `work`. The work runs inside the call of `advance(by:)` that reaches `deadline`. If
  /// `deadline` has already passed, `work` runs inside the next call of `advance(by:)`.
  public func schedule(
    at deadline: Duration, _ work: @escaping @Sendable () -> Void
  ) -> ObservationToken {
    let scheduled = CancellableWork { _ in work() }
    waiting.withLock { waiting in
      let index = waiting.firstIndex { $0.deadline <= deadline } ?? waiting.endIndex
      waiting.insert((deadline, scheduled), at: index)
    }
    return ObservationToken { [weak self] in
      scheduled.cancel()
      self?.waiting.withLock { $0.removeAll { $0.work === scheduled } }
    }
  }

  /// Advances the time. All work that becomes due runs on the calling thread before this method
  /// returns.
  ///
  /// Work runs in order of deadline. Work with equal deadlines runs in order of scheduling. Running
  /// work may schedule new work. If the new work is due by the new time, the work runs in the same
  /// call of `advance(by:)`.
  ///
  /// - Parameter duration: The time to advance, zero or more.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "time cannot go back by \(duration)")
    let end = now + duration
    while let next = next(dueAt: end) {
      moveTime(to: next.deadline)
      next.work.run()
    }
    moveTime(to: end)
  }

  private func next(dueAt time: Duration) -> (deadline: Duration, work: CancellableWork)? {
    waiting.withLock { waiting in
      guard let next = waiting.last, next.deadline <= time else { return nil }
      return waiting.popLast()
    }
  }

  private func moveTime(to instant: Duration) {
    time.withLock { $0 = max($0, instant) }
  }
}
