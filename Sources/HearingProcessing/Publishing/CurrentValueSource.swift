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
    var subscribers = OrderedList<Mailbox<Value>>()
    /// Values, with the numbers of their publications, that the delivering thread delivers next.
    var waiting = FIFO<(value: Value, number: UInt64)>()
    var isDelivering = false
    var isFinished = false

    func delivery(
      of value: Value, _ number: UInt64, displaced: Value? = nil
    ) -> Delivery {
      Delivery(
        value: value, number: number, subscribers: subscribers.entries, displaced: displaced)
    }
  }

  /// A value with the subscribers to notify: the work that is done outside the lock.
  struct Delivery: Sendable {
    fileprivate let value: Value
    fileprivate let number: UInt64
    /// Nil: another thread delivers, or there is nobody to notify.
    fileprivate let subscribers: OrderedList<Mailbox<Value>>.Entries?
    /// The value before: released together with this struct, outside every lock.
    fileprivate let displaced: Value?
  }

  /// - Parameter observation: Notified of each change, for the `Observation` module.
  package init(_ value: Value, observation: ObservedProperty? = nil) {
    state = Lock(State(value: value))
    self.observation = observation
  }

  deinit {
    for mailbox in state.withLock({ $0.subscribers.removeAll() }) { mailbox.end() }
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
      let isWatched = !state.subscribers.isEmpty || observation?.isWatched == true
      if !state.isDelivering, isWatched {
        state.isDelivering = true
        return state.delivery(of: value, state.number, displaced: displaced)
      }
      if state.isDelivering { state.waiting.append((value, state.number)) }
      return Delivery(
        value: value, number: state.number, subscribers: nil, displaced: displaced)
    }
  }

  /// Delivers the publication of `enqueue` and up to 32 values that are sent meanwhile; a library
  /// thread delivers the rest.
  func deliver(_ delivery: Delivery) {
    guard notify(delivery) else { return }
    deliverWaiting()
  }

  private func deliverWaiting() {
    for _ in 0..<32 {
      guard let delivery = nextDelivery() else { return }
      notify(delivery)
    }
    LibraryThread.run { [self] in deliverWaiting() }
  }

  private func nextDelivery() -> Delivery? {
    let (delivery, ended) = state.withLock { state -> (Delivery?, [Mailbox<Value>]) in
      if let (value, number) = state.waiting.popFirst() {
        return (state.delivery(of: value, number), [])
      }
      state.isDelivering = false
      return (nil, state.isFinished ? state.subscribers.removeAll() : [])
    }
    for mailbox in ended { mailbox.end() }
    return delivery
  }

  /// - Returns: Whether this thread delivers.
  @discardableResult
  private func notify(_ delivery: Delivery) -> Bool {
    guard let subscribers = delivery.subscribers else { return false }
    observation?.didChange()
    for entry in subscribers {
      // A subscriber that joined later has received the value, or a newer one, already.
      if let mailbox = entry.element, mailbox.joinedAt < delivery.number {
        mailbox.put(delivery.value)
      }
    }
    return true
  }

  /// Ends the source: async sequences end, subscribers are released.
  func finish() {
    let ended = state.withLock { state in
      state.isFinished = true
      return state.isDelivering ? [] : state.subscribers.removeAll()
    }
    for mailbox in ended { mailbox.end() }
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
    let (mailbox, first, token) = join(receiveValue, finish, receivesCurrent: true)
    mailbox.deliver(first)
    return token
  }

  /// Subscribes to values sent from now on, without the current value.
  func sinkToNextValues(
    finish: (@Sendable () -> Void)? = nil,
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    join(receiveValue, finish, receivesCurrent: false).token
  }

  private func join(
    _ receive: @escaping @Sendable (Value) -> Void, _ finish: (@Sendable () -> Void)?,
    receivesCurrent: Bool
  ) -> (mailbox: Mailbox<Value>, value: Value, token: ObservationToken) {
    let (mailbox, value, number) = state.withLock { state in
      let mailbox = Mailbox(
        joinedAt: state.number, isDelivering: receivesCurrent, receive: receive, finish: finish)
      return (
        mailbox, state.value, state.isFinished ? nil : state.subscribers.append(mailbox)
      )
    }
    guard let number else {
      mailbox.end()
      return (mailbox, value, ObservationToken())
    }
    let token = ObservationToken { [weak self] in
      mailbox.cancel()
      self?.remove(number)
    }
    return (mailbox, value, token)
  }

  private func remove(_ number: UInt64) {
    _ = state.withLock { $0.subscribers.remove(number) }
  }
}
