/// The pending work of a scheduler, protected by a lock.
final class DeadlineQueue: Sendable {
  private let state = Lock(State())

  private struct State: Sendable {
    var heap = DeadlineHeap()
    var count: UInt64 = 0
  }

  /// The earliest deadline; nil if there is no work.
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

  /// Removes and returns the earliest work that is due at `time`.
  func popFirst(dueAt time: Duration) -> ScheduledWork? {
    state.withLock { $0.heap.popFirst(dueAt: time) }
  }

  func remove(_ work: ScheduledWork) {
    _ = state.withLock { $0.heap.remove(work) }
  }
}

// Sendable because `slot` is only accessed under the lock of the queue that holds it, `queue` is
// written in `init` only, and the work itself is protected by a lock.
/// Work that waits for its deadline; it runs once or is cancelled.
final class ScheduledWork: @unchecked Sendable {
  let deadline: Duration
  /// Work with equal deadlines runs in the order of its numbers.
  let number: UInt64
  var slot = -1
  private weak var queue: DeadlineQueue?
  private let work: Lock<(@Sendable () -> Void)?>

  init(
    deadline: Duration, number: UInt64 = 0, queue: DeadlineQueue? = nil,
    work: @escaping @Sendable () -> Void
  ) {
    self.deadline = deadline
    self.number = number
    self.queue = queue
    self.work = Lock(work)
  }

  func run() {
    takeWork()?()
  }

  func cancel() {
    if withdraw() { queue?.remove(self) }
  }

  /// Prevents the work from running; false if it has begun or was withdrawn before.
  func withdraw() -> Bool {
    takeWork() != nil
  }

  func precedes(_ other: ScheduledWork) -> Bool {
    deadline == other.deadline ? number < other.number : deadline < other.deadline
  }

  private func takeWork() -> (@Sendable () -> Void)? {
    work.withLock { $0.take() }
  }
}

/// A heap of scheduled work, the earliest first; adding and removing take logarithmic time.
struct DeadlineHeap: Sendable {
  private var heap: ContiguousArray<ScheduledWork> = []

  var first: ScheduledWork? { heap.first }

  mutating func insert(_ work: ScheduledWork) {
    work.slot = heap.count
    heap.append(work)
    siftUp(heap.count - 1)
  }

  /// Removes `work`; returns the heap's reference to it, or nil if the heap does not contain it.
  mutating func remove(_ work: ScheduledWork) -> ScheduledWork? {
    let slot = work.slot
    guard slot >= 0 else { return nil }
    swap(slot, heap.count - 1)
    let removed = heap.removeLast()
    removed.slot = -1
    if slot < heap.count {
      siftUp(slot)
      siftDown(slot)
    }
    return removed
  }

  /// Removes and returns the earliest work if its deadline is not after `time`.
  mutating func popFirst(dueAt time: Duration) -> ScheduledWork? {
    guard let first, first.deadline <= time else { return nil }
    return remove(first)
  }

  private mutating func siftUp(_ start: Int) {
    var slot = start
    while slot > 0, heap[slot].precedes(heap[(slot - 1) / 2]) {
      swap(slot, (slot - 1) / 2)
      slot = (slot - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var slot = start
    while true {
      var earliest = slot
      for child in [2 * slot + 1, 2 * slot + 2]
      where child < heap.count && heap[child].precedes(heap[earliest]) {
        earliest = child
      }
      guard earliest != slot else { return }
      swap(slot, earliest)
      slot = earliest
    }
  }

  private mutating func swap(_ a: Int, _ b: Int) {
    heap.swapAt(a, b)
    heap[a].slot = a
    heap[b].slot = b
  }
}
