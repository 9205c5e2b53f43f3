/// Holds a value and tells its subscribers of every new one: what a `CurrentValuePublisher` views.
///
/// A value is stored first and told afterwards. One thread at a time delivers; what is sent
/// meanwhile, from another thread or from inside a subscriber, waits and is delivered next by that
/// thread, so that all subscribers see the same sequence. No subscriber runs under the lock.
@usableFromInline
package final class CurrentValueSource<Value: Sendable>: Sendable {
  @usableFromInline let state: Lock<State>
  @usableFromInline let observation: ObservedProperty?

  /// - Parameter observation: Told of each change, for the `Observation` module.
  @inlinable
  package init(_ value: Value, observation: ObservedProperty? = nil) {
    state = Lock(State(value: value))
    self.observation = observation
  }

  deinit {
    for subscription in state.withLock({ $0.subscribers.removeAll() }) {
      subscription?.finish?()
    }
  }

  @inlinable
  package var value: Value { state.withLock { $0.value } }

  /// The value, noted as read by whoever tracks observation on this thread.
  @inlinable
  var observedValue: Value {
    observation?.access()
    return value
  }

  /// Stores `value`, then tells the subscribers.
  @inlinable
  package func send(_ value: Value) {
    deliver(enqueue(value))
  }

  /// Stores `value` and says what is to be delivered; calls nothing, so that it may be called under
  /// another lock. `deliver` must follow outside that lock, on the same thread.
  @inlinable
  func enqueue(_ value: Value) -> Publication {
    state.withLock { $0.store(value, isObserved: observation != nil) }
  }

  /// No more values will be sent: async sequences end, subscribers are let go.
  func finish() {
    let subscribers = state.withLock { $0.finish() }
    for subscription in subscribers { subscription?.finish?() }
  }

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var value: Value
    /// Counts publications; the value was stored by this one.
    @usableFromInline var number: UInt64 = 0
    @usableFromInline var subscribers = OrderedSlots<Subscription<Value>>()
    @usableFromInline var waiting = FIFO<Numbered>()
    @usableFromInline var isDelivering = false
    @usableFromInline var isFinished = false

    @inlinable
    init(value: Value) {
      self.value = value
    }
  }

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

  /// What `enqueue` leaves to be done outside the lock.
  @usableFromInline
  struct Publication: Sendable {
    /// The value that was replaced: released with this, outside every lock.
    @usableFromInline let displaced: Value
    /// Nil if nobody is to be told by this thread.
    @usableFromInline let round: Round?

    @inlinable
    init(displaced: Value, round: Round?) {
      self.displaced = displaced
      self.round = round
    }
  }

  /// One value on its way to those who were subscribed when its turn came.
  @usableFromInline
  struct Round: Sendable {
    @usableFromInline let publication: Numbered
    @usableFromInline let subscribers: ContiguousArray<Subscription<Value>?>

    @inlinable
    init(publication: Numbered, subscribers: ContiguousArray<Subscription<Value>?>) {
      self.publication = publication
      self.subscribers = subscribers
    }
  }
}
