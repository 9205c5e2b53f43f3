public import Synchronization

// Sendable because `slot` is only reached under the publisher's lock, `publisher` is written in
// `init` only, and the rest is a lock and an atomic.
/// One subscriber of a `ResultPublisher`: called once, then its closures are let go.
@usableFromInline
final class ResultSubscription<Value: Sendable, Failure: Error>: Slotted, Cancellable,
  @unchecked Sendable
{
  @usableFromInline let handlers: Lock<Handlers?>
  @usableFromInline let isCancelled = Atomic(false)
  @usableFromInline weak var publisher: ResultPublisher<Value, Failure>?
  @usableFromInline var slot = -1

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
  init(publisher: ResultPublisher<Value, Failure>, handlers: Handlers) {
    self.publisher = publisher
    self.handlers = Lock(handlers)
  }

  @inlinable
  func receive(_ result: Result<Value, Failure>) {
    guard let handlers = takeHandlers() else { return }
    switch result {
    case .success(let value):
      handlers.receiveValue(value)
      guard !isCancelled.load(ordering: .acquiring) else { return }
      handlers.receiveCompletion(.finished)
    case .failure(let failure):
      handlers.receiveCompletion(.failure(failure))
    }
  }

  @inlinable
  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    guard takeHandlers() != nil else { return }
    publisher?.remove(self)
  }

  @inlinable
  func takeHandlers() -> Handlers? {
    handlers.withLock { handlers in handlers.take() }
  }
}
