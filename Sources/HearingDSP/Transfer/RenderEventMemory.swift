internal import HearingBuffers
import Synchronization

/// The memory that the two sides of a `RenderEventRing` share: a ring, and a triple buffer for
/// events that do not fit into it.
///
/// Events go into the ring while it has room. When it is full, the latest event of each kind is
/// offered in the triple buffer instead. Later events are added to the offer until the control side
/// has taken it. Therefore the ring never holds an event that is newer than an offer, and the order
/// is preserved.
///
/// Safe to use from two threads at once as long as one of them calls only `publish(_:)`, the other
/// only `drain(into:)`: slots are written before `tail` is stored with release order and read after
/// it is loaded with acquire order, and the reverse for `head`. An atomic exchange of `middle`
/// moves tables to the other side.
struct RenderEventMemory: ~Copyable {
  let slots: OwnedRow<NumberedRenderEvent>
  let capacity: UInt64
  let head = Atomic<UInt64>(0)
  let tail = Atomic<UInt64>(0)

  let tables: OwnedRow<RenderEventTable>
  let middle = Atomic<UInt32>(1)

  let render: OwnedRow<RenderSide>
  let control: OwnedRow<ControlSide>

  /// State that only the render side uses.
  struct RenderSide {
    var backIndex: UInt32 = 0
    var published: UInt64 = 0
  }

  /// State that only the control side uses.
  struct ControlSide {
    var frontIndex: UInt32 = 2
    var delivered: UInt64 = 0
    var missed: UInt64 = 0
  }

  static let freshBit: UInt32 = 4

  static let indexBits: UInt32 = 3

  /// Three tables of the triple buffer, and one in which the render side collects events.
  static var tableCount: Int { 4 }

  static let collectingIndex = 3

  init(capacity: Int) {
    slots = .filled(.none, count: capacity)
    self.capacity = UInt64(capacity)
    tables = OwnedRow(count: Self.tableCount) { _ in RenderEventTable() }
    render = .filled(RenderSide(), count: 1)
    control = .filled(ControlSide(), count: 1)
  }

  /// How many events never arrived. Control side.
  var missed: UInt64 { control[0].missed }
}

// Rows are copied to local constants before a write through them: the thread sanitizer mistakes a
// write through a stored row for a write to the row itself.
extension RenderEventMemory {
  /// Publishes an event. Render side. The amount of work is bounded, regardless of the control
  /// side.
  func publish(_ event: RenderEvent) {
    let render = render.row
    render[0].published += 1
    let entry = NumberedRenderEvent(number: render[0].published, event: event)
    if middle.load(ordering: .acquiring) & Self.freshBit == 0 {
      let (tables, slots) = (tables.row, slots.row)
      tables[Self.collectingIndex].removeAll()
      let end = tail.load(ordering: .relaxed)
      if end &- head.load(ordering: .acquiring) < capacity {
        slots[Int(end % capacity)] = entry
        tail.store(end &+ 1, ordering: .releasing)
        return
      }
    }
    offer(entry)
  }

  /// Adds an event to the offer.
  func offer(_ entry: NumberedRenderEvent) {
    let tables = tables.row
    tables[Self.collectingIndex].merge(entry)
    let render = render.row
    let given = render[0].backIndex
    tables[Int(given)].copy(tables[Self.collectingIndex])
    let received = middle.exchange(given | Self.freshBit, ordering: .acquiringAndReleasing)
    render[0].backIndex = received & Self.indexBits
  }
}

extension RenderEventMemory {
  /// Appends the events that were published and not yet delivered, in order. Control side.
  func drain(into events: inout [RenderEvent]) {
    if middle.load(ordering: .relaxed) & Self.freshBit != 0 {
      let control = control.row
      let returned = control[0].frontIndex
      let received = middle.exchange(returned, ordering: .acquiringAndReleasing)
      control[0].frontIndex = received & Self.indexBits
      let offered = tables.from(Int(received & Self.indexBits))
      for index in 0..<offered[0].count {
        drainRing(before: offered[0][index].number, into: &events)
        deliver(offered[0][index], into: &events)
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

  /// Delivers an entry unless it was delivered before. If the control side takes an offer while the
  /// render side adds to it, the next offer contains entries that have already been delivered.
  private func deliver(
    _ entry: NumberedRenderEvent, into events: inout [RenderEvent]
  ) {
    let control = control.row
    guard entry.number > control[0].delivered else { return }
    control[0].missed += entry.number - control[0].delivered - 1
    control[0].delivered = entry.number
    events.append(entry.event)
  }
}
