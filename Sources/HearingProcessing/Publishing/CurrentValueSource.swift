/// Holds a value and tells its subscribers of every new one: what a `CurrentValuePublisher` views.
///
/// A value is stored first and told afterwards. One thread at a time delivers; what is sent
/// meanwhile, from another thread or from inside a subscriber, waits and is delivered next by that
/// thread, so that all subscribers see the same sequence. No subscriber runs under the lock.
// Sendable because `current` and `waiting` are only reached under the roster's lock.
@usableFromInline package final class CurrentValueSource<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let roster = SubscriberRoster()
  @usableFromInline let observation: ObservedProperty?
  @usableFromInline @exclusivity(unchecked) var current: Value
  @usableFromInline @exclusivity(unchecked) var waiting = FIFO<Numbered>()

  /// - Parameter observation: Told of each change, for the `Observation` module.
  @inlinable
  package init(_ value: Value, observation: ObservedProperty? = nil) {
    current = value
    self.observation = observation
  }

  deinit {
    for subscriber in roster.state.withLock({ $0.subscribers.removeAll() }) { subscriber?.end() }
  }

  @inlinable
  package var value: Value { roster.state.withLock { _ in current } }

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

  /// No more values will be sent: async sequences end, subscribers are let go of.
  func finish() {
    roster.finish()
  }

  /// A value, and which publication it is.
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
    @usableFromInline let publication: Numbered
    /// Who is to be told, by this thread; nil if nobody is.
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
