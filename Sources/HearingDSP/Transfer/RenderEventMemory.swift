internal import HearingBuffers
import Synchronization

/// The memory of a `RenderEventRing`, used by both sides: a ring, and a triple buffer for events
/// that do not fit into the ring.
///
/// Events go into the ring until it is full. Further events go into an overflow table, which keeps
/// the latest event of each kind and is published through the triple buffer. All later events are
/// added to this table until the control side has received it. Therefore the ring never holds an
/// event that is newer than a published table, and the order is preserved.
///
/// Safe to use from two threads at once as long as one of them calls only `publish(_:)`, the other
/// only `drain(into:)`: slots are written before `tail` is stored with release order and read after
/// it is loaded with acquire order, and the reverse for `head`. Overflow tables move to the control
/// side through the ``TripleBuffer``.
struct RenderEventMemory: ~Copyable {
  let slots: OwnedRow<NumberedRenderEvent>
  let capacity: UInt64
  let head = Atomic<UInt64>(0)
  let tail = Atomic<UInt64>(0)

  /// The published overflow tables, and the table in which the render side collects the next one.
  let overflow = TripleBuffer { RenderEventTable() }
  let collected = OwnedRow(RenderEventTable())

  /// The number of events published; only the render side uses it.
  let published = OwnedRow<UInt64>(0)
  /// The number of the last event delivered, and how many events were lost; only the control side
  /// uses them.
  let delivered = OwnedRow<UInt64>(0)
  let missedCount = OwnedRow<UInt64>(0)

  init(capacity: Int) {
    slots = .filled(.none, count: capacity)
    self.capacity = UInt64(capacity)
  }

  /// How many events were lost to coalescing. Control side.
  var missed: UInt64 { missedCount[0] }
}

// Rows are copied to local constants before a write through them: the thread sanitizer mistakes a
// write through a stored row for a write to the row itself.
extension RenderEventMemory {
  /// Publishes an event. Render side. The amount of work is bounded, regardless of the control
  /// side.
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
  /// Appends the events that were published and not yet delivered, in order. Control side.
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

  /// Delivers an entry unless it was delivered before. If the control side receives a table while
  /// the render side adds to it, the next table contains entries that have already been delivered.
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
