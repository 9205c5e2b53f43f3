public import Synchronization

/// The storage behind a `CurrentValuePublisher`: holds a value and notifies subscribers of changes.
///
/// A value is stored first and delivered afterwards. One thread at a time delivers; a value sent
/// meanwhile, from another thread or from inside a subscriber, queues and is delivered next by that
/// thread, so that all subscribers see the same sequence. No subscriber runs under the lock.
// Sendable because `current` and `waiting` are only reached under the roster's lock.
@usableFromInline package final class CurrentValueSource<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let roster = SubscriberRoster()
  @usableFromInline let observation: ObservedProperty?
  @usableFromInline @safe @exclusivity(unchecked) var current: Value
  @usableFromInline @safe @exclusivity(unchecked) var waiting = FIFO<Numbered>()

  /// - Parameter observation: Notified of each change, for the `Observation` module.
  @inlinable
  package init(_ value: Value, observation: ObservedProperty? = nil) {
    current = value
    self.observation = observation
  }

  deinit {
    for subscriber in roster.state.withLock({ $0.subscribers.removeAll() }) { subscriber?.end() }
  }

  @usableFromInline
  package var value: Value { roster.state.withLock { _ in current } }

  /// The value; records the access for observation tracking on this thread.
  var observedValue: Value {
    observation?.access()
    return value
  }

  /// Stores `value`, then notifies the subscribers.
  @inlinable
  package func send(_ value: Value) {
    deliver(enqueue(value))
  }

  /// Ends the source: async sequences end, subscribers are released.
  func finish() {
    roster.finish()
  }

  /// A value with the number of its publication.
  @usableFromInline
  struct Numbered: Sendable {
    @usableFromInline let value: Value
    @usableFromInline let number: UInt64

    @inlinable
    init(value: Value, number: UInt64) {
      self.value = value
      self.number = number
    }
  }

  /// The work that `enqueue` leaves for outside the lock.
  @usableFromInline
  struct Publication: Sendable {
    /// The previous value: released together with this struct, outside every lock.
    @usableFromInline let displaced: Value
    @usableFromInline let publication: Numbered
    /// The subscribers that this thread must notify; nil: none.
    @usableFromInline let subscribers: ContiguousArray<Subscriber?>?

    @inlinable
    init(
      displaced: Value, publication: Numbered, subscribers: ContiguousArray<Subscriber?>?
    ) {
      self.displaced = displaced
      self.publication = publication
      self.subscribers = subscribers
    }
  }
}

extension CurrentValueSource {
  /// Stores `value` and returns what to deliver. Runs no user code, so that it may be called under
  /// another lock. `deliver` must follow outside that lock, on the same thread.
  @inlinable
  func enqueue(_ value: Value) -> Publication {
    roster.state.withLock { state in
      let displaced = current
      current = value
      return number(displacing: displaced, &state)
    }
  }

  /// Changes the value under the lock, as `enqueue` does.
  ///
  /// - Returns: A closure that delivers the new value; call it outside all locks.
  func enqueueing(_ change: (inout Value) -> Void) -> @Sendable () -> Void {
    let publication = roster.state.withLock { state in
      let displaced = current
      change(&current)
      return number(displacing: displaced, &state)
    }
    return { [self] in deliver(publication) }
  }

  /// Under the lock: the publication of `current` and the subscribers that this thread notifies.
  @inlinable @inline(__always)
  func number(
    displacing displaced: Value, _ state: inout SubscriberRoster.State
  ) -> Publication {
    state.number += 1
    let publication = Numbered(value: current, number: state.number)
    if state.isDelivering {
      waiting.append(publication)
      return Publication(displaced: displaced, publication: publication, subscribers: nil)
    }
    if state.subscribers.isEmpty && observation?.isWatched != true {
      return Publication(displaced: displaced, publication: publication, subscribers: nil)
    }
    state.isDelivering = true
    return Publication(
      displaced: displaced, publication: publication, subscribers: state.subscribers.places)
  }

  /// What the delivering thread does after a round.
  @usableFromInline
  enum Next: Sendable {
    case nothing
    case round(Numbered, ContiguousArray<Subscriber?>)
    case end(ContiguousArray<Subscriber?>)
  }

  /// Delivers the publication of `enqueue` and up to 32 values that are sent meanwhile; a library
  /// thread delivers the rest.
  @inlinable
  func deliver(_ publication: Publication) {
    guard let subscribers = publication.subscribers else { return }
    notify(subscribers, publication.publication)
    deliverRounds()
  }

  @usableFromInline
  func deliverElsewhere() {
    LibraryThread.run { [self] in deliverRounds() }
  }

  @inlinable
  func deliverRounds() {
    var rounds = 0
    while true {
      if rounds >= 32 { return deliverElsewhere() }
      rounds += 1
      switch nextRound() {
      case .nothing:
        return
      case .round(let publication, let subscribers):
        notify(subscribers, publication)
      case .end(let subscribers):
        for subscriber in subscribers { subscriber?.end() }
        return
      }
    }
  }

  @inlinable
  func nextRound() -> Next {
    roster.state.withLock { state in
      if let publication = waiting.popFirst() {
        return .round(publication, state.subscribers.places)
      }
      state.isDelivering = false
      return state.isFinished ? .end(state.takeSubscribersToEnd()) : .nothing
    }
  }

  @inlinable
  func notify(_ subscribers: ContiguousArray<Subscriber?>, _ publication: Numbered) {
    observation?.didChange()
    // Safe: the array retains the subscribers, so that references to them may be read as unmanaged ones;
    // retaining each one again would cost as much as the call.
    unsafe subscribers.withUnsafeBufferPointer { places in
      guard let first = places.baseAddress else { return }
      unsafe first.withMemoryRebound(
        to: Unmanaged<Subscription<Value>>?.self, capacity: places.count
      ) { first in
        for place in 0..<places.count {
          unsafe first[place]?._withUnsafeGuaranteedRef { notify($0, publication) }
        }
      }
    }
  }

  @inlinable @inline(__always)
  func notify(_ subscription: Subscription<Value>, _ publication: Numbered) {
    guard publication.number > subscription.joinedAt else { return }
    switch subscription.phase.load(ordering: .acquiring) {
    case .live:
      subscription.receive(publication.value)
    case .cancelled:
      break
    case .waiting:
      if isReady(subscription, for: publication) { subscription.receive(publication.value) }
    }
  }

  /// Whether this thread calls a subscriber that was joining. If it is still joining, adds the
  /// value to its backlog, which the subscribing thread delivers.
  @usableFromInline
  func isReady(_ subscription: Subscription<Value>, for publication: Numbered) -> Bool {
    roster.state.withLock { _ in
      switch subscription.phase.load(ordering: .acquiring) {
      case .live: return true
      case .cancelled: return false
      case .waiting:
        subscription.backlog.append(publication.value)
        return false
      }
    }
  }

  /// What the subscribing thread does after a value.
  @usableFromInline
  enum Joining: Sendable {
    case value(Value)
    case live
    /// No more values will follow: the source has finished while the subscriber joined.
    case ended
  }

  /// Subscribes, and delivers the current value before it returns.
  ///
  /// - Parameter finish: Called when no more values will follow.
  @inlinable
  func sink(
    finish: (@Sendable () -> Void)? = nil,
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    let subscription = Subscription(roster, receive: receiveValue, finish: finish)
    let first = roster.state.withLock { state in
      subscription.joinedAt = state.number
      if !state.isFinished { state.subscribers.append(subscription) }
      return current
    }
    receiveValue(first)
    receiveBacklog(of: subscription)
    return ObservationToken(subscription)
  }

  /// Delivers up to 32 values that were published while the subscriber joined; a library thread
  /// delivers the rest.
  @inlinable
  func receiveBacklog(of subscription: Subscription<Value>) {
    for _ in 0...32 {
      switch join(subscription) {
      case .value(let next): subscription.receive(next)
      case .live: return
      case .ended:
        subscription.end()
        return
      }
    }
    receiveBacklogElsewhere(of: subscription)
  }

  @usableFromInline
  func receiveBacklogElsewhere(of subscription: Subscription<Value>) {
    LibraryThread.run { [self] in receiveBacklog(of: subscription) }
  }

  @inlinable
  func join(_ subscription: Subscription<Value>) -> Joining {
    roster.state.withLock { state in
      if subscription.phase.load(ordering: .acquiring) == .cancelled { return .live }
      if let next = subscription.backlog.popFirst() { return .value(next) }
      _ = subscription.phase.compareExchange(
        expected: .waiting, desired: .live, ordering: .acquiringAndReleasing)
      return state.isFinished && subscription.slot < 0 ? .ended : .live
    }
  }
}
