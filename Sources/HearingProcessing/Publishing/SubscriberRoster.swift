internal import Synchronization

/// Who subscribes to a source, and how far its publications have come. Its lock is the source's.
@usableFromInline
final class SubscriberRoster: Sendable {
  @usableFromInline let state = Lock(State())

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var subscribers = OrderedSlots<Subscriber>()
    /// Counts publications: the value that stands was stored by this one.
    @usableFromInline var number: UInt64 = 0
    @usableFromInline var isDelivering = false
    @usableFromInline var isFinished = false

    @inlinable
    init() {}

    /// Nobody is to be called any more: returns who is to be told so. A subscriber that is still
    /// joining finds out by itself.
    @usableFromInline
    mutating func letGo() -> ContiguousArray<Subscriber?> {
      var released = subscribers.removeAll()
      released.removeAll { $0?.phase.load(ordering: .acquiring) == .waiting }
      return released
    }
  }

  @inlinable
  init() {}

  @usableFromInline
  func remove(_ subscriber: Subscriber) {
    _ = state.withLock { $0.subscribers.remove(subscriber) }
  }

  /// No more values will come.
  func finish() {
    let subscribers = state.withLock { state in
      state.isFinished = true
      return state.isDelivering ? [] : state.letGo()
    }
    for subscriber in subscribers { subscriber?.end() }
  }
}
