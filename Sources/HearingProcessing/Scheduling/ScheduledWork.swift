/// Work that waits for its deadline; it runs once or is cancelled.
final class ScheduledWork: Sendable {
  let deadline: Duration
  /// Work with equal deadlines runs in the order of its numbers.
  let number: UInt64
  private let work: Lock<(@Sendable () -> Void)?>

  init(deadline: Duration, number: UInt64 = 0, work: @escaping @Sendable () -> Void) {
    self.deadline = deadline
    self.number = number
    self.work = Lock(work)
  }

  /// Whether it neither runs nor was cancelled.
  var isWaiting: Bool { work.withLock { $0 != nil } }

  func run() {
    let work = work.withLock { $0.take() }
    work?()
  }

  /// Prevents the work from running, and releases it; false if it has begun or was cancelled before.
  func cancel() -> Bool {
    let cancelled = work.withLock { $0.take() }
    return cancelled != nil
  }

  func precedes(_ other: ScheduledWork) -> Bool {
    deadline == other.deadline ? number < other.number : deadline < other.deadline
  }
}

/// A heap of scheduled work, the earliest first; adding and removing the first take logarithmic time.
struct DeadlineHeap: Sendable {
  private var heap: ContiguousArray<ScheduledWork> = []

  var count: Int { heap.count }
  var first: ScheduledWork? { heap.first }

  mutating func insert(_ work: ScheduledWork) {
    heap.append(work)
    var index = heap.count - 1
    while index > 0, heap[index].precedes(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes and returns the earliest work if its deadline is not after `time`.
  mutating func popFirst(dueAt time: Duration) -> ScheduledWork? {
    guard let first, first.deadline <= time else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var index = 0
    while true {
      var earliest = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].precedes(heap[earliest]) {
        earliest = child
      }
      guard earliest != index else { return first }
      heap.swapAt(index, earliest)
      index = earliest
    }
  }

  /// Removes cancelled work.
  mutating func removeCancelled() {
    heap.removeAll { !$0.isWaiting }
    heap.sort { $0.precedes($1) }
  }
}
