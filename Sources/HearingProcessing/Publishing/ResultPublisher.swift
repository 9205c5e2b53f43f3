/// One result that comes some time, once, and is kept for those who ask later.
///
///     let token = parameter.apply(0.5).sink { completion in … } receiveValue: { value in … }
///     let value = try await parameter.apply(0.5).get()
///
/// It is hot: what leads to the result runs whether anybody watches or not, and ending an
/// observation does not stop it. Subscribers are called in order of subscription on the thread that
/// settles the result, late ones on their own thread before `sink` returns; never under a lock.
public final class ResultPublisher<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Subscriber = ResultSubscription<Value, Failure>
  @usableFromInline let state: Lock<OneShot<Value, Failure, Subscriber>>

  @inlinable
  package init() {
    state = Lock(OneShot())
  }

  /// A result that is already there.
  @inlinable
  package convenience init(_ result: Result<Value, Failure>) {
    self.init()
    settle(result)
  }

  /// Delivers the result to everybody who waits and keeps it; a second result is ignored.
  ///
  /// - Returns: Whether this was the first.
  @inlinable
  @discardableResult
  package func settle(_ result: Result<Value, Failure>) -> Bool {
    guard let subscribers = state.withLock({ $0.settle(result) }) else { return false }
    for subscriber in subscribers { subscriber?.receive(result) }
    return true
  }

  /// Calls `receiveValue` and then `receiveCompletion` on success, `receiveCompletion` alone on
  /// failure; each at most once.
  ///
  /// - Returns: The token that keeps the observation. It does not keep the publisher, and the
  ///   publisher does not need it.
  @inlinable
  public func sink(
    receiveCompletion: @escaping @Sendable (Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    let subscription = Subscriber(
      publisher: self,
      handlers: .init(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
    if let result = state.withLock({ $0.subscribe(subscription) }) {
      subscription.receive(result)
      return ObservationToken()
    }
    return ObservationToken(subscription)
  }

  /// The result, if it is there.
  @inlinable
  package var outcome: Result<Value, Failure>? { state.withLock { $0.outcome } }

  /// Calls `receive` with the result; nothing can end this observation.
  package func observe(_ receive: @escaping @Sendable (Result<Value, Failure>) -> Void) {
    let subscription = Subscriber(
      publisher: self,
      handlers: .init { completion in
        if case .failure(let failure) = completion { receive(.failure(failure)) }
      } receiveValue: {
        receive(.success($0))
      })
    if let result = state.withLock({ $0.subscribe(subscription) }) {
      subscription.receive(result)
    }
  }

  /// As `sink`, with both closures called on the main actor, in order.
  public func sinkOnMainActor(
    receiveCompletion: @escaping @MainActor @Sendable (Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor @Sendable (Value) -> Void
  ) -> ObservationToken {
    let inbox = MainActorInbox<News> { news in
      switch news {
      case .value(let value): receiveValue(value)
      case .completion(let completion): receiveCompletion(completion)
      }
    }
    let token = sink {
      inbox.put(.completion($0), isLast: true)
    } receiveValue: {
      inbox.put(.value($0))
    }
    return ObservationToken {
      token.cancel()
      inbox.close()
    }
  }

  @inlinable
  func remove(_ subscription: Subscriber) {
    _ = state.withLock { $0.unsubscribe(subscription) }
  }

  private enum News: Sendable {
    case value(Value)
    case completion(Completion<Failure>)
  }
}
