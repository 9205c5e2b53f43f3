internal import HearingProcessing

/// Who listens, and whether a delivery is under way.
struct RenderEventRoster: Sendable {
  private var listeners: [RenderEventListener] = []
  private var wait: ObservationToken?
  private var isWaiting = false
  private var isDelivering = false
  private var isAskedAgain = false

  /// Adds a listener; true if the waiting has to begin.
  mutating func add(_ listener: RenderEventListener) -> Bool {
    listeners.append(listener)
    defer { isWaiting = true }
    return !isWaiting
  }

  /// Removes a listener, and returns the wait that is no longer needed.
  mutating func remove(_ listener: RenderEventListener) -> ObservationToken? {
    listeners.removeAll { $0 === listener }
    guard listeners.isEmpty else { return nil }
    isWaiting = false
    return wait.take()
  }

  /// Keeps the wait for the next look, and returns what is to be cancelled: the wait before, or
  /// this one if everybody has left.
  mutating func keep(_ token: ObservationToken) -> ObservationToken? {
    guard isWaiting else { return token }
    defer { wait = token }
    return wait
  }

  /// Removes listeners whose source is gone; whether anybody is left.
  mutating func sweep() -> Bool {
    listeners.removeAll { $0.ring == nil }
    if listeners.isEmpty { isWaiting = false }
    return isWaiting
  }

  /// Whom to deliver to; nil if a delivery is under way, which will then look once more.
  mutating func beginDelivery() -> [RenderEventListener]? {
    if isDelivering {
      isAskedAgain = true
      return nil
    }
    isDelivering = true
    return listeners
  }

  /// Whom to deliver to once more; nil if the delivery is over.
  mutating func endDelivery() -> [RenderEventListener]? {
    guard isAskedAgain else {
      isDelivering = false
      return nil
    }
    isAskedAgain = false
    return listeners
  }
}
