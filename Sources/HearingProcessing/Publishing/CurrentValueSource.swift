/// The storage behind a `CurrentValuePublisher`: holds a value and notifies subscribers of changes.
///
/// A value is stored first and delivered afterwards. One thread at a time delivers; a value sent
/// meanwhile, from another thread or from inside a subscriber, queues and is delivered next by that
/// thread, so that all subscribers see the same sequence. No subscriber runs under the lock.
package final class CurrentValueSource<Value: Sendable>: Sendable {
  private let state: Lock<State>
  let observation: ObservedProperty?

  private struct State: Sendable {
    var value: Value
    /// The number of the last publication, which stored the value.
    var number: UInt64 = 0
    var subscribers = OrderedList<Subscriber>()
    /// Publications that the delivering thread delivers next.
    var waiting = FIFO<Publication>()
    var isDelivering = false
    var isFinished = false
  }

  fileprivate struct Subscriber: Sendable {
    let mailbox: Mailbox<Value>
    /// The number of the last publication before the subscription: it receives only later ones.
    let joinedAt: UInt64
  }

  fileprivate struct Publication: Sendable {
    let value: Value
    let number: UInt64
  }

  /// A publication with the subscribers to notify.
  fileprivate struct Round: Sendable {
    let publication: Publication
    let subscribers: ContiguousArray<OrderedList<Subscriber>.Entry>
  }

  /// The work that `enqueue` leaves for outside the lock.
  struct Delivery: Sendable {
    /// The previous value: released together with this struct, outside every lock.
    private let displaced: Value
    /// Nil: another thread delivers, or there is nobody to notify.
    fileprivate let round: Round?

    fileprivate init(displaced: Value, round: Round?) {
      self.displaced = displaced
      self.round = round
    }
  }

  /// - Parameter observation: Notified of each change, for the `Observation` module.
  package init(_ value: Value, observation: ObservedProperty? = nil) {
    state = Lock(State(value: value))
    self.observation = observation
  }

  deinit {
    for subscriber in state.withLock({ $0.subscribers.removeAll() }) { subscriber.mailbox.end() }
  }

  package var value: Value { state.withLock { $0.value } }

  /// For tests: how many subscribers there are.
  var subscriberCount: Int { state.withLock { $0.subscribers.count } }

  /// The value; records the access for observation tracking on this thread.
  var observedValue: Value {
    observation?.access()
    return value
  }

  /// Stores `value`, then notifies the subscribers.
  package func send(_ value: Value) {
    deliver(enqueue(value))
  }

  /// Stores `value` and returns what to deliver. Runs no user code, so that it may be called under
  /// another lock. `deliver` must follow outside that lock, on the same thread.
  func enqueue(_ value: Value) -> Delivery {
    state.withLock { state in
      let displaced = state.value
      state.value = value
      state.number += 1
      let publication = Publication(value: value, number: state.number)
      if state.isDelivering {
        state.waiting.append(publication)
        return Delivery(displaced: displaced, round: nil)
      }
      guard !state.subscribers.isEmpty || observation?.isWatched == true else {
        return Delivery(displaced: displaced, round: nil)
      }
      state.isDelivering = true
      return Delivery(
        displaced: displaced,
        round: Round(publication: publication, subscribers: state.subscribers.entries))
    }
  }

  /// Delivers the publication of `enqueue` and up to 32 values that are sent meanwhile; a library
  /// thread delivers the rest.
  func deliver(_ delivery: Delivery) {
    guard let round = delivery.round else { return }
    notify(round)
    deliverWaiting()
  }

  private func deliverWaiting() {
    for _ in 0..<32 {
      guard let round = nextRound() else { return }
      notify(round)
    }
    LibraryThread.run { [self] in deliverWaiting() }
  }

  private func nextRound() -> Round? {
    let (round, ended) = state.withLock { state -> (Round?, [Subscriber]) in
      if let publication = state.waiting.popFirst() {
        return (Round(publication: publication, subscribers: state.subscribers.entries), [])
      }
      state.isDelivering = false
      return (nil, state.isFinished ? state.subscribers.removeAll() : [])
    }
    for subscriber in ended { subscriber.mailbox.end() }
    return round
  }

  private func notify(_ round: Round) {
    observation?.didChange()
    for entry in round.subscribers {
      guard let subscriber = entry.element, subscriber.joinedAt < round.publication.number else {
        continue
      }
      subscriber.mailbox.put(round.publication.value)
    }
  }

  /// Ends the source: async sequences end, subscribers are released.
  func finish() {
    let ended = state.withLock { state in
      state.isFinished = true
      return state.isDelivering ? [] : state.subscribers.removeAll()
    }
    for subscriber in ended { subscriber.mailbox.end() }
  }
}

// MARK: - Subscribing

extension CurrentValueSource {
  /// Subscribes, and delivers the current value before it returns.
  ///
  /// - Parameter finish: Called when no more values will follow.
  func sink(
    finish: (@Sendable () -> Void)? = nil,
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    let mailbox = Mailbox(isDelivering: true, receive: receiveValue, finish: finish)
    let (first, token) = join(mailbox)
    mailbox.deliver(first)
    return token
  }

  /// Subscribes to values sent from now on, without the current value.
  func sinkToNextValues(
    finish: (@Sendable () -> Void)? = nil,
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    join(Mailbox(receive: receiveValue, finish: finish)).token
  }

  private func join(_ mailbox: Mailbox<Value>) -> (value: Value, token: ObservationToken) {
    let (value, number) = state.withLock { state in
      let subscriber = Subscriber(mailbox: mailbox, joinedAt: state.number)
      return (state.value, state.isFinished ? nil : state.subscribers.append(subscriber))
    }
    guard let number else {
      mailbox.end()
      return (value, ObservationToken())
    }
    let token = ObservationToken { [weak self] in
      mailbox.cancel()
      self?.remove(number)
    }
    return (value, token)
  }

  private func remove(_ number: UInt64) {
    _ = state.withLock { $0.subscribers.remove(number) }
  }
}
