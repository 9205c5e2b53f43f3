internal import HearingDSP
internal import HearingProcessing
internal import Synchronization

/// The listeners of a `RenderEventMonitor`, and the state of its polling and delivery.
struct RenderEventRoster: Sendable {
  private var listeners: [RenderEventListener] = []
  private var timer: ObservationToken?
  private var isPolling = false
  private var isDelivering = false
  private var needsAnotherRound = false

  /// Adds a listener. Returns true if the monitor must now start its timer.
  mutating func add(_ listener: RenderEventListener) -> Bool {
    listeners.append(listener)
    defer { isPolling = true }
    return !isPolling
  }

  /// Removes a listener. If no listener is left, returns the timer to cancel.
  mutating func remove(_ listener: RenderEventListener) -> ObservationToken? {
    listeners.removeAll { $0 === listener }
    guard listeners.isEmpty else { return nil }
    isPolling = false
    return timer.take()
  }

  /// Stores the timer of the next read. Returns the timer that must be cancelled: the previous
  /// timer, or `token` if no listener is left.
  mutating func store(_ token: ObservationToken) -> ObservationToken? {
    guard isPolling else { return token }
    defer { timer = token }
    return timer
  }

  /// Removes the listeners whose event ring no longer exists. Returns true if any listener is left.
  mutating func removeOrphans() -> Bool {
    listeners.removeAll { $0.ring == nil }
    if listeners.isEmpty { isPolling = false }
    return isPolling
  }

  /// Starts a delivery and returns its listeners. Returns nil if a delivery is already in progress.
  /// The delivery in progress then reads the rings once more.
  mutating func beginDelivery() -> [RenderEventListener]? {
    if isDelivering {
      needsAnotherRound = true
      return nil
    }
    isDelivering = true
    return listeners
  }

  /// Returns the listeners for another round of delivery, or nil if the delivery is complete.
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
  private let handler: @Sendable (RenderEvent) -> Void
  private let isCancelled = Atomic<Bool>(false)
  /// The ring of the events. Nil after the ring is released.
  weak let ring: RenderEventRing?

  init(ring: RenderEventRing, _ handler: @escaping @Sendable (RenderEvent) -> Void) {
    self.ring = ring
    self.handler = handler
  }

  func receive(_ event: RenderEvent) {
    if !isCancelled.load(ordering: .acquiring) { handler(event) }
  }

  /// Stops the delivery of events to this listener, even if a delivery is in progress.
  func cancel() { isCancelled.store(true, ordering: .releasing) }
}
