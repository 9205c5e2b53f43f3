import Synchronization

// Pointers are copied to locals before anything behind them is changed: the thread sanitizer takes a
// change through a stored pointer for a change of the pointer.
extension RenderEventMemory {
  /// Passes an event on. Render side; takes the same few steps whatever the control side does.
  @_noLocks @_noAllocation
  func publish(_ event: RenderEvent) {
    let render = render
    render.pointee.published += 1
    let entry = NumberedRenderEvent(number: render.pointee.published, event: event)
    if middle.load(ordering: .acquiring) & Self.freshBit == 0 {
      let collecting = tables + Self.collectingIndex
      collecting.pointee.removeAll()
      let end = tail.load(ordering: .relaxed)
      if end &- head.load(ordering: .acquiring) < capacity {
        let slot = slots + Int(end % capacity)
        slot.pointee = entry
        tail.store(end &+ 1, ordering: .releasing)
        return
      }
    }
    offer(entry)
  }

  /// Adds an event to the offer.
  @_noLocks @_noAllocation
  func offer(_ entry: NumberedRenderEvent) {
    let collecting = tables + Self.collectingIndex
    collecting.pointee.merge(entry)
    let render = render
    let given = render.pointee.backIndex
    let back = tables + Int(given)
    back.pointee.copy(collecting.pointee)
    let received = middle.exchange(given | Self.freshBit, ordering: .acquiringAndReleasing)
    render.pointee.backIndex = received & Self.indexBits
  }
}
