internal import HearingBuffers

/// Passes events from the audio thread to another thread. Publishing an event is wait-free.
///
///     let events = RenderEventRing()
///     events.publish(RenderEvent(.nearVoice, frame: position, value: 1))    // on the audio thread
///     for event in events.drain() { … }                             // on another thread
///
/// The method `publish(_:)` never allocates memory, acquires a lock, counts references or waits.
/// The method `drain()` returns the events in order of publication.
///
/// The ring stores up to ``capacity`` events. Events that do not fit into the ring are called
/// additional events. For each kind, only the latest additional event is stored, and earlier
/// additional events are lost. Therefore a consumer that tracks a state always receives the final
/// state. If events have been lost, a consumer may receive two consecutive events that report the
/// same state. At most eight additional events are stored. If there are additional events of more
/// than eight kinds, the oldest additional event is lost. Each object of this package publishes
/// fewer than eight kinds of events.
///
/// A ring has one consumer, because `drain()` removes the events. For several consumers, use a
/// `RenderEventMonitor`. Do not use a ring for data that changes with every block.
public final class RenderEventRing: Sendable {
  /// The maximum number of events in the ring.
  public let capacity: Int

  /// A writer that publishes events on the audio thread. The writer is valid as long as the ring
  /// exists.
  package let writer: RenderEventWriter

  private let control: ControlLock<Row<RenderEventMemory>>

  /// Creates an empty ring.
  ///
  /// - Parameter capacity: The maximum number of events in the ring, at least 1. The default
  ///   capacity is sufficient for the events that an object publishes between two reads of a
  ///   `RenderEventMonitor`.
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

  /// Publishes an event. The call is wait-free. Call this method on only one thread at a time,
  /// usually on the audio thread.
  public func publish(_ event: RenderEvent) {
    writer.publish(event)
  }

  /// Removes and returns the events that were published since the last call, in order of
  /// publication. Do not call this method on the audio thread. Concurrent calls run one after
  /// another.
  public func drain() -> [RenderEvent] {
    control.withLock { memory in
      var events: [RenderEvent] = []
      memory[0].drain(into: &events)
      return events
    }
  }

  /// The number of lost events. Events are lost only if the ring becomes full. May be read from any
  /// thread that does not render audio.
  public var missedCount: UInt64 {
    control.withLock { $0[0].missedCount[0] }
  }
}
