public import Synchronization

/// The subscribers of a result that is still to come, in order.
///
/// Those that have left are found when the list has doubled, so that leaving needs no access to it.
@usableFromInline
struct WaitingSubscribers<Subscriber: Leaving & Sendable>: Sendable {
  @usableFromInline var subscribers: ContiguousArray<Subscriber> = []
  /// The count at which those that have left are removed.
  @usableFromInline var room = 16

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ subscriber: Subscriber) {
    if subscribers.count >= room {
      subscribers.removeAll { $0.hasLeft }
      room = max(16, 2 * subscribers.count)
    }
    subscribers.append(subscriber)
  }

  @inlinable
  mutating func removeAll() -> ContiguousArray<Subscriber> {
    let all = subscribers
    subscribers = []
    return all
  }
}

/// A subscriber that can leave while it waits.
@usableFromInline
protocol Leaving: AnyObject {
  /// Whether it no longer waits. It has released everything a user gave it, or is about to.
  var hasLeft: Bool { get }
}

/// One subscriber of a `ResultPublisher`: called once, then its closures are released.
///
/// Whoever moves `phase` away from `waiting` owns the closures from then on.
@usableFromInline
final class ResultSubscription<Value: Sendable, Failure: Error>: Leaving, Cancellable {
  @usableFromInline let phase = Atomic(SubscriptionPhase.waiting)
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
  var hasLeft: Bool { phase.load(ordering: .acquiring) == .cancelled }

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

// Sendable because `handlers` is only reached by whoever moved `phase` away from `waiting`, which
// one thread can, and the phase is atomic.
extension ResultSubscription: @unchecked Sendable {}
