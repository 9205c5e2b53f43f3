internal import HearingBuffers

/// Carries events from the render side to the control side, wait-free.
///
///     let events = RenderEventRing()
///     events.publish(RenderEvent(.nearVoice, frame: position, value: 1))    // on the audio thread
///     for event in events.drain() { … }                               // on any other
///
/// Publishing never allocates, locks, counts references or waits. Events arrive in order. If the
/// control side falls more than ``capacity`` events behind, it keeps only the latest event of each
/// kind among those that do not fit. A listener that follows a state therefore ends in the right
/// state, but the same kind may come twice in a row.
///
/// A ring has one consumer: draining removes the events. For several listeners, let a
/// `RenderEventMonitor` own it. It is not meant for data that changes with every block.
public final class RenderEventRing: Sendable {
  /// How many events it holds before it coalesces them.
  public let capacity: Int

  /// The render side's access to the ring, valid as long as the ring exists.
  package let writer: RenderEventWriter

  private let control: ControlLock<Row<RenderEventMemory>>

  /// An empty ring.
  ///
  /// - Parameter capacity: At least 1; the default holds more events than a render object publishes
  ///   within a monitor's interval.
  public init(capacity: Int = 64) {
    precondition(capacity >= 1, "an event ring needs a capacity of at least 1, not \(capacity)")
    self.capacity = capacity
    let memory = Row.allocated(count: 1) { _ in RenderEventMemory(capacity: capacity) }
    writer = RenderEventWriter(memory)
    control = ControlLock(memory)
  }

  deinit {
    control.withLock { memory in unsafe memory.deallocate(count: 1) }
  }

  /// Publishes an event, wait-free. Render side: one thread at a time.
  public func publish(_ event: RenderEvent) {
    writer.publish(event)
  }

  /// Removes and returns the events published since the last call, in order. Control side; calls
  /// from several threads run one after another.
  public func drain() -> [RenderEvent] {
    control.withLock { memory in
      var events: [RenderEvent] = []
      memory[0].drain(into: &events)
      return events
    }
  }

  /// How many events have been dropped by coalescing so far. Any thread.
  public var missedCount: UInt64 {
    control.withLock { $0[0].missed }
  }
}
