public import Synchronization

/// One subscriber of a `CurrentValueSource`.
// Sendable because `joinedAt` and `backlog` are only used under the roster's lock (`joinedAt` is
// constant once the subscription is in the roster), and the rest is constant.
@usableFromInline final class Subscription<Value: Sendable>: Subscriber, @unchecked Sendable {
  @usableFromInline let receive: @Sendable (Value) -> Void
  @usableFromInline let finish: (@Sendable () -> Void)?

  /// The number of the last publication before the subscriber joined; it gets only later ones.
  @usableFromInline @safe @exclusivity(unchecked) var joinedAt: UInt64 = 0
  /// The values published while the subscriber still received its first value.
  @usableFromInline @safe @exclusivity(unchecked) var backlog = FIFO<Value>()

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

/// One subscriber of a value, without the value's type: held by a roster, ended by a token.
///
/// It is separate from `Subscription` because generic code called through a token is unspecialised
/// and slow.
// Sendable because `slot` is only accessed under the roster's lock, and the rest is constant or
// atomic.
@usableFromInline class Subscriber: Slotted, Cancellable, @unchecked Sendable {
  @usableFromInline final let roster: SubscriberRoster
  @usableFromInline final let phase = Atomic(SubscriptionPhase.waiting)
  @usableFromInline @safe @exclusivity(unchecked) final var slot = -1

  @inlinable
  init(_ roster: SubscriberRoster) {
    self.roster = roster
  }

  @inlinable
  final func cancel() {
    phase.store(.cancelled, ordering: .releasing)
    roster.remove(self)
  }

  /// No more values will follow.
  @usableFromInline
  func end() {
    preconditionFailure("a subscriber without a value")
  }
}

/// The phase of a subscriber from subscribing to cancelling.
@usableFromInline
enum SubscriptionPhase: UInt8, AtomicRepresentable, Sendable {
  /// Still receiving its first value on the subscribing thread, or waiting for a result.
  case waiting
  case live
  case cancelled
}

/// The subscribers of a source and the state of its delivery. Its lock is also the source's lock.
@usableFromInline
final class SubscriberRoster: Sendable {
  @usableFromInline let state = Lock(State())

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var subscribers = OrderedSlots<Subscriber>()
    /// The number of the last publication, which stored the current value.
    @usableFromInline var number: UInt64 = 0
    @usableFromInline var isDelivering = false
    @usableFromInline var isFinished = false

    @inlinable
    init() {}

    /// Removes all subscribers and returns those to end. One that is still joining is left out: its
    /// own thread ends it.
    @usableFromInline
    mutating func takeSubscribersToEnd() -> ContiguousArray<Subscriber?> {
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

  /// Ends the subscriptions: no more values will follow.
  func finish() {
    let subscribers = state.withLock { state in
      state.isFinished = true
      return state.isDelivering ? [] : state.takeSubscribersToEnd()
    }
    for subscriber in subscribers { subscriber?.end() }
  }
}
