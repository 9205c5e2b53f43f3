import Synchronization

extension RenderEventMemory {
  /// Appends what was published and not yet delivered, in order. Control side.
  func drain(into events: inout [RenderEvent]) {
    if middle.load(ordering: .relaxed) & Self.freshBit != 0 {
      let control = control
      let returned = control.pointee.frontIndex
      let received = middle.exchange(returned, ordering: .acquiringAndReleasing)
      control.pointee.frontIndex = received & Self.indexBits
      let offered = tables[Int(received & Self.indexBits)]
      for index in 0..<offered.count {
        drainRing(before: offered[index].number, into: &events)
        deliver(offered[index], into: &events)
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

  /// Delivers an entry once: one that was offered a second time, because it was taken while the
  /// render side added to the offer, has been delivered.
  private func deliver(
    _ entry: NumberedRenderEvent, into events: inout [RenderEvent]
  ) {
    let control = control
    guard entry.number > control.pointee.delivered else { return }
    control.pointee.missed += entry.number - control.pointee.delivered - 1
    control.pointee.delivered = entry.number
    events.append(entry.event)
  }
}
