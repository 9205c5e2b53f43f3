internal import HearingDSP
internal import HearingProcessing

/// One listener of a ring, until it leaves.
final class RenderEventListener: Sendable {
  private let handler: Lock<Handler>
  /// What it listens to; nil once that is gone.
  weak let ring: RenderEventRing?

  /// A closure in a struct of its own: a bare one behind a lock gains a thunk at each use.
  private struct Handler: Sendable {
    var receive: (@Sendable (RenderEvent) -> Void)?
  }

  init(ring: RenderEventRing, _ receive: @escaping @Sendable (RenderEvent) -> Void) {
    self.ring = ring
    handler = Lock(Handler(receive: receive))
  }

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
