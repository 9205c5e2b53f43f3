public import Synchronization

/// The subscribers of a result that is still to come, in order.
///
/// Those that have left are found when the list has doubled, so that leaving needs no access to it.
@usableFromInline
struct WaitingSubscribers: Sendable {
  @usableFromInline var subscribers: ContiguousArray<ResultSubscriber> = []
  /// The count at which those that have left are removed.
  @usableFromInline var room = 16

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ subscriber: ResultSubscriber) {
    if subscribers.count >= room {
      subscribers.removeAll { $0.hasLeft }
      room = max(16, 2 * subscribers.count)
    }
    subscribers.append(subscriber)
  }

  @inlinable
  mutating func removeAll() -> ContiguousArray<ResultSubscriber> {
    let all = subscribers
    subscribers = []
    return all
  }
}

/// One subscriber of a result, whatever the types of the result.
///
/// It is apart from `ResultSubscription` because a lock around generic state is slow to reach.
// Sendable because its only property is atomic; the one subclass proves its own.
@usableFromInline
class ResultSubscriber: @unchecked Sendable {
  @usableFromInline final let phase = Atomic(SubscriptionPhase.waiting)

  @inlinable
  init() {}

  /// Whether it no longer waits. It has released everything a user gave it, or is about to.
  @inlinable
  final var hasLeft: Bool { phase.load(ordering: .acquiring) == .cancelled }
}

/// One subscriber of a `ResultPublisher`: called once, then its closures are released.
///
/// Whoever moves `phase` away from `waiting` owns the closures from then on.
// Sendable because `handlers` is only reached by whoever moved `phase` away from `waiting`, which
// one thread can, and the phase is atomic.
@usableFromInline
final class ResultSubscription<Value: Sendable, Failure: Error>: ResultSubscriber, Cancellable,
  @unchecked Sendable
{
  @usableFromInline @exclusivity(unchecked) var handlers: Handlers?

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
