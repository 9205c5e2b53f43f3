/// The work that a scheduler has before it, behind a lock.
final class DeadlineQueue: Sendable {
  private let state = Lock(State())

  private struct State: Sendable {
    var heap = DeadlineHeap()
    var count: UInt64 = 0
  }

  /// The earliest deadline, if there is work.
  var firstDeadline: Duration? { state.withLock { $0.heap.first?.deadline } }

  func add(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
    state.withLock { state in
      state.count += 1
      let scheduled = ScheduledWork(
        deadline: deadline, number: state.count, queue: self, work: work)
      state.heap.insert(scheduled)
      return scheduled
    }
  }

  /// Takes out the earliest work that is due at `time`.
  func popFirst(dueAt time: Duration) -> ScheduledWork? {
    state.withLock { $0.heap.popFirst(dueAt: time) }
  }

  func remove(_ work: ScheduledWork) {
    _ = state.withLock { $0.heap.remove(work) }
  }
}
