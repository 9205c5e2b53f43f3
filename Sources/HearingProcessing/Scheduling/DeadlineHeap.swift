/// Scheduled work, the earliest on top; adding and removing take logarithmic time.
struct DeadlineHeap: Sendable {
  private var heap: ContiguousArray<ScheduledWork> = []

  var first: ScheduledWork? { heap.first }

  mutating func insert(_ work: ScheduledWork) {
    work.slot = heap.count
    heap.append(work)
    siftUp(heap.count - 1)
  }

  /// Takes `work` out; returns the heap's reference to it, or nil if it is not there.
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

  /// Takes out the earliest work if its deadline is not after `time`.
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
