public import Synchronization

/// One subscriber of a `CurrentValueSource`.
// Sendable because `joinedAt` and `backlog` are only reached under the roster's lock (`joinedAt` is
// constant once the subscription is in the roster), and the rest is constant.
@usableFromInline final class Subscription<Value: Sendable>: Subscriber, @unchecked Sendable {
  @usableFromInline let receive: @Sendable (Value) -> Void
  @usableFromInline let finish: (@Sendable () -> Void)?

  /// The publication that the subscriber saw when it joined; it gets only later ones.
  @usableFromInline @exclusivity(unchecked) var joinedAt: UInt64 = 0
  /// What was published while the subscriber still received its first value.
  @usableFromInline @exclusivity(unchecked) var backlog = FIFO<Value>()

  @inlinable
  init(
    _ roster: SubscriberRoster,
    receive: @escaping @Sendable (Value) -> Void,
    finish: (@Sendable () -> Void)?
  ) {
    self.receive = receive
    self.finish = finish
    super.init(roster)
  }

  @usableFromInline
  override func end() {
    finish?()
  }
}

/// One subscriber of a value, whatever the value's type: what a roster lists and a token ends.
///
/// It is apart from `Subscription` because generic code that is reached through a token runs
/// unspecialised, and slowly.
// Sendable because `slot` is only reached under the roster's lock, and the rest is constant or
// atomic.
@usableFromInline class Subscriber: Slotted, Cancellable, @unchecked Sendable {
  @usableFromInline final let roster: SubscriberRoster
  @usableFromInline final let phase = Atomic(SubscriptionPhase.waiting)
  @usableFromInline @exclusivity(unchecked) final var slot = -1

  @inlinable
  init(_ roster: SubscriberRoster) {
    self.roster = roster
  }

  @inlinable
  final func cancel() {
    phase.store(.cancelled, ordering: .releasing)
    roster.remove(self)
  }

  /// No more values can come.
  @usableFromInline
  func end() {
    preconditionFailure("a subscriber without a value")
  }
}

/// Where a subscriber is between joining and leaving.
@usableFromInline
enum SubscriptionPhase: UInt8, AtomicRepresentable, Sendable {
  /// Not called yet: it receives its first value on the thread that subscribes, or a result is
  /// still to come.
  case waiting
  case live
  case cancelled
}

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
