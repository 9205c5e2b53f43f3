internal import HearingBuffers

/// The latest event of each kind, in order of publication.
struct RenderEventTable: ~Copyable {
  private let entries: OwnedRow<NumberedRenderEvent>
  private(set) var count = 0

  /// The maximum number of events in a table. If the table is full, the oldest event is removed.
  /// Each object of this package publishes fewer than eight kinds of events.
  private static let capacity = 8

  init() {
    entries = .filled(.none, count: Self.capacity)
  }

  subscript(index: Int) -> NumberedRenderEvent { entries[index] }

  mutating func removeAll() {
    count = 0
  }

  /// Appends an event, and removes an earlier event of the same kind from the table.
  mutating func merge(_ entry: NumberedRenderEvent) {
    var displaced = count == Self.capacity ? 0 : count
    for index in 0..<count
    where entries[index].event.kind.rawValue == entry.event.kind.rawValue {
      displaced = index
    }
    if displaced < count { count -= 1 }
    while displaced < count {
      entries[displaced] = entries[displaced + 1]
      displaced += 1
    }
    entries[count] = entry
    count += 1
  }

  /// Replaces the events of this table by the events of `other`.
  mutating func copy(_ other: borrowing RenderEventTable) {
    count = other.count
    for index in 0..<count { entries[index] = other.entries[index] }
  }
}

/// An event and its sequence number. The first published event has the number 1.
struct NumberedRenderEvent: BitwiseCopyable {
  var number: UInt64
  var event: RenderEvent

  /// A placeholder for memory without an event.
  static var none: Self {
    Self(number: 0, event: RenderEvent(RenderEvent.Kind(rawValue: 0), frame: 0))
  }
}
