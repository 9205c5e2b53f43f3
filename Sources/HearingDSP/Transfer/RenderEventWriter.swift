internal import HearingBuffers

/// Publishes events to a ``RenderEventRing`` on the audio thread.
///
/// An object that renders audio can store a `RenderEventWriter` in its own memory. A stored
/// reference to the ring would cause reference counting on the audio thread. A `RenderEventWriter`
/// is valid as long as the ring exists.
package struct RenderEventWriter: BitwiseCopyable {
  let memory: Row<RenderEventMemory>

  /// Publishes an event. The call is wait-free. Call this method on only one thread at a time,
  /// usually on the audio thread.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package func publish(_ event: RenderEvent) {
    memory[0].publish(event)
  }
}

// The type is Sendable because its row never changes. The caller ensures that only one thread at a
// time calls `publish(_:)`. While one thread publishes an event, another thread may read events.
extension RenderEventWriter: @unchecked Sendable {}
