internal import HearingBuffers
import Synchronization

/// The memory of a ``RenderEventRing``. One thread publishes events, usually the audio thread.
/// Another thread receives events. The memory consists of a ring, and of a triple buffer for events
/// that do not fit into the ring.
///
/// Events are added to the ring until the ring is full. Further events are added to an overflow
/// table, which contains only the latest event of each kind. The triple buffer publishes the
/// overflow table. All later events are also added to the overflow table, until the receiving
/// thread has received the table. Therefore, until the table is received, every event in the ring
/// is older than the events in the table. The order of events is preserved.
///
/// Two threads may use the memory at the same time if one thread calls only `publish(_:)` and the
/// other thread calls only `drain(into:)`. The publishing thread writes an event to a slot of the
/// ring, and then stores `tail` with release order. The receiving thread loads `tail` with acquire
/// order, and then reads the slot. After reading, the receiving thread stores `head` with release
/// order. Before the publishing thread reuses the slot, the publishing thread loads `head` with
/// acquire order. The ``TripleBuffer`` passes overflow tables to the receiving thread.
struct RenderEventMemory: ~Copyable {
  let slots: OwnedRow<NumberedRenderEvent>
  let capacity: UInt64
  let head = Atomic<UInt64>(0)
  let tail = Atomic<UInt64>(0)

  /// The triple buffer `overflow` contains the published overflow tables. The method `publish(_:)`
  /// adds events to the table `collected`, and then publishes a copy of this table.
  let overflow = TripleBuffer { RenderEventTable() }
  let collected = OwnedRow(RenderEventTable())

  /// The number of published events. Only `publish(_:)` uses this number.
  let published = OwnedRow<UInt64>(0)
  /// The sequence number of the last delivered event, and the number of lost events. An event in
  /// the overflow table is lost if a later event of the same kind replaces this event. The audio
  /// thread uses neither `delivered` nor `missedCount`.
  let delivered = OwnedRow<UInt64>(0)
  let missedCount = OwnedRow<UInt64>(0)

  init(capacity: Int) {
    slots = .filled(.none, count: capacity)
    self.capacity = UInt64(capacity)
  }
}

// A stored row is copied to a local constant before its elements are written. Without the local
// copy, the thread sanitizer would report a write to the stored row itself.
extension RenderEventMemory {
  /// Publishes an event. Called on the audio thread. The number of operations is bounded, and the
  /// call never waits.
  func publish(_ event: RenderEvent) {
    let published = published.row
    published[0] += 1
    let entry = NumberedRenderEvent(number: published[0], event: event)
    if overflow.isReceived {
      let (collected, slots) = (collected.row, slots.row)
      collected[0].removeAll()
      let end = tail.load(ordering: .relaxed)
      if end &- head.load(ordering: .acquiring) < capacity {
        slots[Int(end % capacity)] = entry
        tail.store(end &+ 1, ordering: .releasing)
        return
      }
    }
    addToOverflow(entry)
  }

  /// Adds an event to the overflow table and publishes the table.
  func addToOverflow(_ entry: NumberedRenderEvent) {
    let (collected, back) = (collected.row, overflow.back)
    collected[0].merge(entry)
    back[0].copy(collected[0])
    overflow.publish()
  }
}

extension RenderEventMemory {
  /// Appends new events to `events`, in order of publication. An event is new if it has not been
  /// delivered yet. Never called on the audio thread.
  func drain(into events: inout [RenderEvent]) {
    if overflow.receive() {
      let table = overflow.front
      for index in 0..<table[0].count {
        drainRing(before: table[0][index].number, into: &events)
        deliver(table[0][index], into: &events)
      }
    }
    drainRing(before: .max, into: &events)
  }

  private func drainRing(before number: UInt64, into events: inout [RenderEvent]) {
    var start = head.load(ordering: .relaxed)
    let end = tail.load(ordering: .acquiring)
    while start != end, slots[Int(start % capacity)].number < number {
      deliver(slots[Int(start % capacity)], into: &events)
      start &+= 1
    }
    head.store(start, ordering: .releasing)
  }

  /// Delivers an entry if the entry has not been delivered before.
  ///
  /// An entry can be received twice: if one thread receives a table while the audio thread adds an
  /// event, the next table contains the same entries again.
  private func deliver(
    _ entry: NumberedRenderEvent, into events: inout [RenderEvent]
  ) {
    let (delivered, missed) = (delivered.row, missedCount.row)
    guard entry.number > delivered[0] else { return }
    missed[0] += entry.number - delivered[0] - 1
    delivered[0] = entry.number
    events.append(entry.event)
  }
}
