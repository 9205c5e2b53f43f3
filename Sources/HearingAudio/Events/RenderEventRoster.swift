internal import HearingDSP
internal import HearingProcessing

/// The listeners of a monitor, and the state of polling and delivery.
struct RenderEventRoster: Sendable {
  private var listeners: [RenderEventListener] = []
  private var timer: ObservationToken?
  private var isPolling = false
  private var isDelivering = false
  private var needsAnotherRound = false

  /// Adds a listener; returns true if the monitor has to start its timer.
  mutating func add(_ listener: RenderEventListener) -> Bool {
    listeners.append(listener)
    defer { isPolling = true }
    return !isPolling
  }

  /// Removes a listener; returns the timer to cancel if it was the last one.
  mutating func remove(_ listener: RenderEventListener) -> ObservationToken? {
    listeners.removeAll { $0 === listener }
    guard listeners.isEmpty else { return nil }
    isPolling = false
    return timer.take()
  }

  /// Stores the timer of the next poll; returns the timer to cancel: the previous one, or this one
  /// if no listener is left.
  mutating func store(_ token: ObservationToken) -> ObservationToken? {
    guard isPolling else { return token }
    defer { timer = token }
    return timer
  }

  /// Removes listeners whose source is released; returns whether any listener is left.
  mutating func removeOrphans() -> Bool {
    listeners.removeAll { $0.ring == nil }
    if listeners.isEmpty { isPolling = false }
    return isPolling
  }

  /// Returns the listeners to deliver to; nil if a delivery is already in progress, which then
  /// drains once more.
  mutating func beginDelivery() -> [RenderEventListener]? {
    if isDelivering {
      needsAnotherRound = true
      return nil
    }
    isDelivering = true
    return listeners
  }

  /// Returns the listeners for another round of delivery; nil if the delivery is complete.
  mutating func endDelivery() -> [RenderEventListener]? {
    guard needsAnotherRound else {
      isDelivering = false
      return nil
    }
    needsAnotherRound = false
    return listeners
  }
}

/// One listener of an event ring.
final class RenderEventListener: Sendable {
  private let handler: Lock<Handler>
  /// The ring it listens to; nil once the ring is released.
  weak let ring: RenderEventRing?

  /// The closure is wrapped in a struct, because a bare closure behind a lock gets a re-abstraction
  /// thunk at each use.
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

  /// Releases the closure, outside the lock.
  func cancel() {
    let released = handler.withLock { handler in
      let released = handler
      handler.receive = nil
      return released
    }
    withExtendedLifetime(released) {}
  }
}
