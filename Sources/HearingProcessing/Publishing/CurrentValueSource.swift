// This class is Sendable because `current` is only accessed under the lock of `state`. While a
// thread notifies the subscribers, only this thread accesses `delivered`. While no thread notifies
// the subscribers, `delivered` is accessed under the lock.
/// Stores the value of a `CurrentValuePublisher`, and notifies the subscribers of each change.
///
/// A new value is first stored, and then delivered to the subscribers. Only one thread at a time
/// delivers values. If another thread or a subscriber sends a value during a delivery, this value
/// waits in a queue. After the delivery, the thread that has delivered also delivers the queued
/// values. All subscribers therefore receive the same values in the same order. No subscriber runs
/// under the lock.
package final class CurrentValueSource<Value: Sendable>: @unchecked Sendable {
  let observation: ObservedProperty?
  private let state = Lock(SourceState())
  private var current: Value
  /// The value that is being delivered to subscribers.
  private var delivered: Value

  /// - Parameter observation: Notifies the `Observation` module of each read and each change of the
  ///   value.
  package init(_ value: Value, observation: ObservedProperty? = nil) {
    current = value
    delivered = value
    self.observation = observation
  }

  deinit {
    for mailbox in state.withLock({ $0.subscribers.removeAll() }) { mailbox.end() }
  }

  package var value: Value { state.withLock { _ in current } }

  /// The number of subscribers. Only tests use this property.
  var subscriberCount: Int { state.withLock { $0.subscribers.count } }

  /// Reads the value, and notifies the `Observation` module that this thread has read the value.
  var observedValue: Value {
    observation?.access()
    return value
  }

  /// Stores `value`, then notifies the subscribers.
  package func send(_ value: Value) {
    var displaced = value
    deliver(replace(&displaced))
  }

  /// Stores `value`, and returns a closure that delivers `value` to the subscribers. Call the
  /// returned closure on the thread that called `enqueue`, outside all locks. The method `enqueue`
  /// calls no code of the app. Therefore `enqueue` may be called under another lock.
  package func enqueue(_ value: Value) -> @Sendable () -> Void {
    var displaced = value
    let delivery = replace(&displaced)
    return { [self, displaced] in
      withExtendedLifetime(displaced) { deliver(delivery) }
    }
  }

  /// Stores the new value from the argument. After the call, the argument contains the previous
  /// value. The caller releases the previous value outside all locks.
  private func replace(_ value: inout Value) -> SourceState.Delivery? {
    let new = value
    return state.withLock { state in
      swap(&current, &value)
      state.number += 1
      guard !state.isDelivering else {
        state.waiting.append((state.number, { [unowned self] in delivered = new }))
        return nil
      }
      delivered = new
      guard !state.subscribers.isEmpty || observation?.isWatched == true else { return nil }
      state.isDelivering = true
      return (state.number, state.subscribers.entries)
    }
  }

  /// Notifies the subscribers of a stored value. After the notification, delivers up to 32 values
  /// that are waiting. If more than 32 values are waiting, a background thread of this package
  /// delivers the remaining values.
  ///
  /// - Parameter delivery: The sequence number of the stored value, and the subscribers. `delivery`
  ///   is nil if another thread is delivering, or if there are no subscribers.
  private func deliver(_ delivery: SourceState.Delivery?) {
    guard let delivery else { return }
    notify(delivery)
    deliverWaiting()
  }

  private func deliverWaiting() {
    for _ in 0..<32 {
      guard let delivery = nextDelivery() else { return }
      notify(delivery)
    }
    LibraryThread.run { [self] in deliverWaiting() }
  }

  private func nextDelivery() -> SourceState.Delivery? {
    let (delivery, prepare, ended) = state.withLock { state in state.nextDelivery() }
    prepare?()
    for mailbox in ended { mailbox.end() }
    return delivery
  }

  private func notify(_ delivery: SourceState.Delivery) {
    observation?.didChange()
    for entry in delivery.subscribers {
      // Skips subscribers that were added after this value was stored.
      if let mailbox = entry.element, mailbox.joinedAt < delivery.number { mailbox.deliver() }
    }
  }

  /// Ends the source. The async sequences of the source end, and the subscribers are released.
  func finish() {
    let ended = state.withLock { state in
      state.isFinished = true
      return state.isDelivering ? [] : state.subscribers.removeAll()
    }
    for mailbox in ended { mailbox.end() }
  }
}

/// The subscribers of a source, and the stored values that wait to be delivered.
struct SourceState: Sendable {
  /// The sequence number of the last stored value. Each stored value has a higher number than the
  /// value that was stored before.
  var number: UInt64 = 0
  var subscribers = OrderedList<Mailbox>()
  /// The stored values that wait until the delivery of an earlier value has ended. The closure
  /// `prepare` copies the waiting value to the source's property `delivered`.
  var waiting = FIFO<(number: UInt64, prepare: @Sendable () -> Void)>()
  var isDelivering = false
  var isFinished = false

  /// The sequence number of a stored value, and the subscribers to notify of this value.
  typealias Delivery = (number: UInt64, subscribers: OrderedList<Mailbox>.Entries)

  /// Returns the next delivery and its `prepare` closure. If no value waits and the source has
  /// ended, returns the mailboxes of all subscribers. A mailbox delivers values to one subscriber.
  /// The caller must end the returned mailboxes.
  mutating func nextDelivery()
    -> (delivery: Delivery?, prepare: (@Sendable () -> Void)?, ended: [Mailbox])
  {
    if let (number, prepare) = waiting.popFirst() {
      return ((number, subscribers.entries), prepare, [])
    }
    isDelivering = false
    return (nil, nil, isFinished ? subscribers.removeAll() : [])
  }
}

// MARK: - Subscribing

extension CurrentValueSource {
  /// Subscribes to the values of this source.
  ///
  /// - Parameters:
  ///   - deliversCurrent: Whether the current value is delivered before this method returns. If
  ///     false, only later values are delivered.
  ///   - finish: Called after the last value.
  func sink(
    deliversCurrent: Bool = true, finish: (@Sendable () -> Void)? = nil,
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    var first: Value?
    let (mailbox, number) = state.withLock { state in
      if deliversCurrent { first = current }
      let mailbox = Mailbox(joinedAt: state.number, finish: finish) { [unowned self] isLater in
        let value = delivered
        if isLater { return { receiveValue(value) } }
        receiveValue(value)
        return nil
      }
      return (mailbox, state.isFinished ? nil : state.subscribers.append(mailbox))
    }
    if number == nil { mailbox.end() }
    if let first { receiveValue(first) }
    // The mailbox queues newer values until the subscriber has received the current value.
    mailbox.resume()
    guard let number else { return ObservationToken() }
    return ObservationToken { [weak self] in
      mailbox.cancel()
      _ = self?.state.withLock { $0.subscribers.remove(number) }
    }
  }
}
