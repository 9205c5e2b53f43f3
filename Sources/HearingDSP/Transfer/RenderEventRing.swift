internal import HearingBuffers

/// Carries events from the render side to the control side, wait-free.
///
///     let events = RenderEventRing()
///     events.publish(RenderEvent(.nearVoice, frame: position, value: 1))    // on the audio thread
///     for event in events.drain() { … }                               // on any other
///
/// Publishing never allocates, locks, counts references or waits. Events arrive in order.
///
/// If more than ``capacity`` events wait for the control side, only the latest further event of
/// each kind is kept. A listener that follows a state therefore always learns the final state.
/// However, a listener may receive two events of the same kind in a row.
///
/// A ring has one consumer, because `drain()` removes the events. For several listeners, use a
/// `RenderEventMonitor`. Do not use a ring for data that changes with every block.
public final class RenderEventRing: Sendable {
  /// The number of events that the ring holds. If more events wait, only the latest further event
  /// of each kind is kept.
  public let capacity: Int

  /// Publishes events on the render side. The value is valid as long as the ring exists.
  package let writer: RenderEventWriter

  private let control: ControlLock<Row<RenderEventMemory>>

  /// Creates an empty ring.
  ///
  /// - Parameter capacity: The number of events that the ring holds, at least 1. The default holds
  ///   more events than a render object publishes between two reads of a `RenderEventMonitor`.
  public init(capacity: Int = 64) {
    precondition(capacity >= 1, "an event ring needs a capacity of at least 1, not \(capacity)")
    self.capacity = capacity
    let memory = Row.allocated(count: 1) { _ in RenderEventMemory(capacity: capacity) }
    writer = RenderEventWriter(memory: memory)
    control = ControlLock(memory)
  }

  deinit {
    control.withLock { memory in unsafe memory.deallocate(count: 1) }
  }

  /// Publishes an event, wait-free. Call this method on the render side, on only one thread at a
  /// time.
  public func publish(_ event: RenderEvent) {
    writer.publish(event)
  }

  /// Removes and returns the events published since the last call, in order. Call this method on
  /// the control side. Calls from several threads run one after another.
  public func drain() -> [RenderEvent] {
    control.withLock { memory in
      var events: [RenderEvent] = []
      memory[0].drain(into: &events)
      return events
    }
  }

  /// The number of events lost so far, because only the latest event of each kind was kept. May be
  /// read from any thread.
  public var missedCount: UInt64 {
    control.withLock { $0[0].missedCount[0] }
  }
}
