/// Carries events from the render side to the control side, wait-free.
///
///     let events = RenderEventRing()
///     events.publish(RenderEvent(.nearVoice, frame: position, value: 1))     // on the audio thread
///     for event in events.drain() { … }                                // on any other
///
/// Publishing never allocates, locks, counts references or waits. Events arrive in order. If the
/// control side falls more than ``capacity`` events behind, of those that do not fit only the latest
/// of each kind is kept, so that whoever follows a state ends in the right one; the same kind may
/// then come twice in a row.
///
/// A ring is emptied by one owner: whoever drains it has the events. To call several listeners, let
/// a `RenderEventMonitor` own it. It is not for data that flows with each block.
public final class RenderEventRing: Sendable {
  /// How many events it holds until they are coalesced.
  public let capacity: Int

  /// The render side's end, good for as long as the ring lives.
  public let writer: RenderEventWriter

  private let control: ControlLock<UnsafeMutablePointer<RenderEventMemory>>

  /// An empty ring.
  ///
  /// - Parameter capacity: At least 1; the default holds more than a render object tells within a
  ///   monitor's interval.
  public init(capacity: Int = 64) {
    precondition(capacity >= 1, "a ring of \(capacity) events")
    self.capacity = capacity
    let memory = UnsafeMutablePointer<RenderEventMemory>.allocate(capacity: 1)
    memory.initialize(to: RenderEventMemory(capacity: capacity))
    writer = RenderEventWriter(memory)
    control = ControlLock(memory)
  }

  deinit {
    control.withLock { memory in
      memory.deinitialize(count: 1)
      memory.deallocate()
    }
  }

  /// Passes an event on, wait-free. Render side: one thread at a time.
  public func publish(_ event: RenderEvent) {
    writer.publish(event)
  }

  /// Takes out what was published since the last call, in order. Control side; calls from several
  /// threads take turns.
  public func drain() -> [RenderEvent] {
    control.withLock { memory in
      var events: [RenderEvent] = []
      memory.pointee.drain(into: &events)
      return events
    }
  }

  /// How many events were coalesced until now and never arrived. Any thread.
  public var missedCount: UInt64 {
    control.withLock { $0.pointee.missed }
  }
}
