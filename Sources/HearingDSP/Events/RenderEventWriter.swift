/// The render side's end of a ``RenderEventRing``.
///
/// A plain pointer, to be kept in a render object's own memory where a reference to the ring would
/// be counted. It is good for as long as the ring lives.
public struct RenderEventWriter: BitwiseCopyable {
  private let memory: UnsafeMutablePointer<RenderEventMemory>

  init(_ memory: UnsafeMutablePointer<RenderEventMemory>) {
    self.memory = memory
  }

  /// Passes an event on, wait-free. Render side: one thread at a time.
  @_noLocks @_noAllocation
  public func publish(_ event: RenderEvent) {
    memory.pointee.publish(event)
  }
}

// Sendable: a pointer that is never changed; who may call `publish(_:)` when is the render side's
// own rule, one thread at a time, and `RenderEventMemory` divides the rest between the two sides.
extension RenderEventWriter: @unchecked Sendable {}
