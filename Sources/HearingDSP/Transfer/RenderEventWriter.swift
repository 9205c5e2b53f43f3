internal import HearingBuffers

/// The render side's access to a ``RenderEventRing``.
///
/// A plain value for the memory of a render object, where a reference to the ring would cause
/// reference counting. It is valid as long as the ring exists.
package struct RenderEventWriter: BitwiseCopyable {
  private let memory: Row<RenderEventMemory>

  init(_ memory: Row<RenderEventMemory>) {
    self.memory = memory
  }

  /// Publishes an event, wait-free. Render side: one thread at a time.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package func publish(_ event: RenderEvent) {
    memory[0].publish(event)
  }
}

// Sendable: the row never changes. The caller keeps `publish(_:)` to one thread at a time, and
// `RenderEventMemory` makes that safe against the control side.
extension RenderEventWriter: @unchecked Sendable {}
