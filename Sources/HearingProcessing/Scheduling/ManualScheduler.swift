/// A scheduler for tests. The time advances only when the test calls `advance(by:)`.
///
///     let scheduler = ManualScheduler()
///     let controller = ProcessingController(scheduler: scheduler)
///     …
///     scheduler.advance(by: .seconds(0.2))     // all due work has run
public final class ManualScheduler: DeadlineScheduler {
  /// The scheduled closures that have not run yet, sorted by descending deadline. The closure that
  /// runs next is therefore the last element. If several closures have the same deadline, the
  /// closure that was scheduled first comes last.
  private let waiting = Lock<[(deadline: Duration, work: CancellableWork)]>([])
  private let time = Lock(Duration.zero)

  /// Creates a scheduler. `now` starts at zero.
  public init() {}

  /// The current time. While scheduled work runs, the current time is the deadline of this work. If
  /// the deadline had already passed when the work was scheduled, the current time is later than
  /// the deadline.
  public var now: Duration { time.withLock { $0 } }

  /// Schedules `work`. The call of `advance(by:)` that reaches `deadline` runs `work`. If
  /// `deadline` has already passed, the next call of `advance(by:)` runs `work`.
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

  /// Advances the time, and runs all work with a deadline up to the new time. The work runs on the
  /// calling thread, before this method returns.
  ///
  /// The work runs in the order of the deadlines. Work with equal deadlines runs in the order in
  /// which the work was scheduled. While work runs, the work may schedule new work. If the deadline
  /// of the new work is not later than the new time, the same call of `advance(by:)` runs the new
  /// work.
  ///
  /// - Parameter duration: The time by which `now` advances, zero or more.
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
