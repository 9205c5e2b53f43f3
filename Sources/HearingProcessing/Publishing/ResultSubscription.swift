public import Synchronization

/// The subscribers of an unsettled result, in order.
///
/// Cancelled subscribers are removed when the list has doubled, so that cancelling does not access
/// the list.
@usableFromInline
struct WaitingSubscribers: Sendable {
  /// The first one, which is usually the only one: an array for it would cost an allocation.
  @usableFromInline var first: ResultSubscriber?
  @usableFromInline var subscribers: ContiguousArray<ResultSubscriber> = []
  /// The count at which cancelled subscribers are removed.
  var room = 16

  @inlinable
  init() {}

  @usableFromInline
  mutating func append(_ subscriber: ResultSubscriber) {
    if first == nil, subscribers.isEmpty {
      first = subscriber
      return
    }
    appendFurther(subscriber)
  }

  mutating func appendFurther(_ subscriber: ResultSubscriber) {
    if subscribers.count >= room {
      subscribers.removeAll { $0.hasLeft }
      room = max(16, 2 * subscribers.count)
    }
    subscribers.append(subscriber)
  }

  /// Removes and returns all, in order.
  @usableFromInline
  mutating func removeAll() -> WaitingSubscribers {
    let all = self
    self = WaitingSubscribers()
    return all
  }
}

/// One subscriber of a result, without the types of the result.
///
/// It is separate from `ResultSubscription` because a lock around generic state is slow.
// Sendable because its only property is atomic; the one subclass has its own proof.
@usableFromInline class ResultSubscriber: @unchecked Sendable {
  @usableFromInline final let phase = Atomic(SubscriptionPhase.waiting)

  @inlinable
  init() {}

  /// Whether it was cancelled. It has released the user's closures, or is about to.
  final var hasLeft: Bool { phase.load(ordering: .acquiring) == .cancelled }
}

/// One subscriber of a `ResultPublisher`: called once, then its closures are released.
///
/// The thread that moves `phase` away from `waiting` owns the closures from then on.
@usableFromInline
final class ResultSubscription<Value: Sendable, Failure: Error>:
  // Sendable because `handlers` is only accessed by the one thread that moved `phase` away from
  // `waiting`, and the phase is atomic.
  ResultSubscriber, Cancellable, @unchecked Sendable
{
  @usableFromInline @safe @exclusivity(unchecked) var handlers: Handlers?

  @usableFromInline
  struct Handlers: Sendable {
    @usableFromInline let receiveCompletion: @Sendable (Completion<Failure>) -> Void
    @usableFromInline let receiveValue: @Sendable (Value) -> Void

    @inlinable
    init(
      receiveCompletion: @escaping @Sendable (Completion<Failure>) -> Void,
      receiveValue: @escaping @Sendable (Value) -> Void
    ) {
      self.receiveCompletion = receiveCompletion
      self.receiveValue = receiveValue
    }
  }

  @inlinable
  init(_ handlers: Handlers) {
    self.handlers = handlers
  }

  @inlinable
  func receive(_ result: Result<Value, Failure>) {
    let (isMine, _) = phase.compareExchange(
      expected: .waiting, desired: .live, ordering: .acquiringAndReleasing)
    guard isMine, let handlers = handlers.take() else { return }
    switch result {
    case .success(let value):
      handlers.receiveValue(value)
      guard phase.load(ordering: .acquiring) == .live else { return }
      handlers.receiveCompletion(.finished)
    case .failure(let failure):
      handlers.receiveCompletion(.failure(failure))
    }
  }

  @inlinable
  func cancel() {
    guard phase.exchange(.cancelled, ordering: .acquiringAndReleasing) == .waiting else { return }
    handlers = nil
  }
}
