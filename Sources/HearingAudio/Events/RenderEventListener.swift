internal import HearingDSP
internal import HearingProcessing

/// One listener of a ring, until it leaves.
final class RenderEventListener: Sendable {
  private let handler: Lock<Handler>
  private weak let listened: RenderEventRing?

  /// A closure in a struct of its own: a bare one behind a lock gains a thunk at each use.
  private struct Handler: Sendable {
    var receive: (@Sendable (RenderEvent) -> Void)?
  }

  init(ring: RenderEventRing, _ receive: @escaping @Sendable (RenderEvent) -> Void) {
    listened = ring
    handler = Lock(Handler(receive: receive))
  }

  /// What it listens to; nil once that is gone.
  var ring: RenderEventRing? { listened }

  func receive(_ event: RenderEvent) {
    let handler = handler.withLock { $0 }
    handler.receive?(event)
  }

  /// Lets go of the closure, outside the lock.
  func leave() {
    let last = handler.withLock { handler in
      let last = handler
      handler.receive = nil
      return last
    }
    withExtendedLifetime(last) {}
  }
}
