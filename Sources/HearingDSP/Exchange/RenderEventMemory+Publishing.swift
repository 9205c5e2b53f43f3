import Synchronization

extension RenderEventMemory {
  /// Passes an event on. Render side; takes the same few steps whatever the control side does.
  @_noLocks @_noAllocation
  func publish(_ event: RenderEvent) {
    render.pointee.published += 1
    let entry = NumberedRenderEvent(number: render.pointee.published, event: event)
    if middle.load(ordering: .acquiring) & Self.freshBit == 0 {
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
  @_noLocks @_noAllocation
  func offer(_ entry: NumberedRenderEvent) {
    tables[Self.collectingIndex].merge(entry)
    let given = render.pointee.backIndex
    tables[Int(given)].copy(tables[Self.collectingIndex])
    let received = middle.exchange(given | Self.freshBit, ordering: .acquiringAndReleasing)
    render.pointee.backIndex = received & Self.indexBits
  }
}
