/// A scheduler whose time passes only in `advance(by:)`: for the tests of this package and of apps.
///
///     let scheduler = ManualScheduler()
///     let controller = ProcessingController(scheduler: scheduler)
///     …
///     scheduler.advance(by: .seconds(0.2))     // all due work has run
public final class ManualScheduler: DeadlineScheduler {
  private let queue = Lock(Queue())
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
    let scheduled = queue.withLock { $0.add(at: deadline, work) }
    return ObservationToken { [weak self] in
      if scheduled.cancel() { self?.queue.withLock { $0.countCancelled() } }
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
    while let work = queue.withLock({ $0.heap.popFirst(dueAt: end) }) {
      guard work.isWaiting else { continue }
      moveTime(to: work.deadline)
      work.run()
    }
    moveTime(to: end)
  }

  private func moveTime(to instant: Duration) {
    time.withLock { $0 = max($0, instant) }
  }

  private struct Queue: Sendable {
    var heap = DeadlineHeap()
    private var count: UInt64 = 0
    /// How much cancelled work the heap may contain.
    private var cancelled = 0

    mutating func add(
      at deadline: Duration, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
      count += 1
      let scheduled = ScheduledWork(deadline: deadline, number: count, work: work)
      heap.insert(scheduled)
      return scheduled
    }

    /// Removes cancelled work when it makes up most of the heap.
    mutating func countCancelled() {
      cancelled += 1
      guard cancelled > 64, cancelled > heap.count / 2 else { return }
      heap.removeCancelled()
      cancelled = 0
    }
  }
}
