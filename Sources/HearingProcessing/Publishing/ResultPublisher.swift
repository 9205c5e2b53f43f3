/// The outcome of an operation: the operation delivered its value, or the operation failed.
public enum Completion<Failure: Error>: Sendable {
  /// The value was delivered.
  case finished
  /// The operation failed with this error.
  case failure(Failure)
}

extension Completion: Equatable where Failure: Equatable {}

/// Publishes the single result of an operation. This type is a future. A subscriber receives the
/// result even if the result existed before the subscription.
///
///     let token = parameter.apply(0.5).sink { completion in … } receiveValue: { value in … }
///     let value = try await parameter.apply(0.5).get()
///
/// The operation that produces the result runs even without subscribers. Ending a subscription does
/// not stop the operation. Subscribers are called in order of subscription, on the thread that sets
/// the result. If the result already exists, `sink` calls the new subscriber before `sink` returns.
/// No subscriber is called while this package holds a lock.
public final class ResultPublisher<Value: Sendable, Failure: Error>: Sendable {
  private typealias Stored = ValueBox<Result<Value, Failure>>

  private let state = Lock((result: nil as Box?, subscribers: OrderedList<CancellableWork>()))

  package init() {}

  /// Creates a publisher that already has its result.
  package convenience init(_ result: Result<Value, Failure>) {
    self.init()
    settle(result)
  }

  /// Creates a publisher that has already succeeded, for tests of an app.
  public static func success(_ value: Value) -> ResultPublisher {
    ResultPublisher(.success(value))
  }

  /// Creates a publisher that has already failed, for tests of an app.
  public static func failure(_ error: Failure) -> ResultPublisher {
    ResultPublisher(.failure(error))
  }

  /// Stores the result and delivers it to all subscribers. A second result is ignored.
  ///
  /// - Returns: True if `result` is the first result.
  @discardableResult
  package func settle(_ result: Result<Value, Failure>) -> Bool {
    let box = Stored(result)
    let subscribers = state.withLock { state -> [CancellableWork]? in
      guard state.result == nil else { return nil }
      state.result = box
      return state.subscribers.removeAll()
    }
    guard let subscribers else { return false }
    for subscriber in subscribers { subscriber.run() }
    return true
  }

  /// The result, or nil if there is no result yet.
  public var outcome: Result<Value, Failure>? {
    state.withLock { $0.result }.map { Stored.open($0) }
  }

  /// The number of subscribers that wait for the result. Only tests use this property.
  var subscriberCount: Int {
    state.withLock { $0.subscribers.count }
  }

  /// Subscribes to the result. On success, calls `receiveValue` and then `receiveCompletion`. On
  /// failure, calls only `receiveCompletion`. Each closure is called at most once.
  ///
  /// - Returns: The token that retains the observation. The token does not retain the publisher.
  ///   Releasing the token does not stop the operation that produces the result.
  public func sink(
    receiveCompletion: @escaping @Sendable (Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    subscribe { [unowned self] subscriber in
      switch outcome {
      case .success(let value):
        receiveValue(value)
        if !subscriber.isCancelled { receiveCompletion(.finished) }
      case .failure(let failure):
        receiveCompletion(.failure(failure))
      case nil:
        break
      }
    }
  }

  /// Calls `receiveResult` once, with the value or the error.
  ///
  /// - Returns: The token that retains the observation. The token does not retain the publisher.
  public func sink(
    _ receiveResult: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> ObservationToken {
    subscribe { [unowned self] _ in
      if let outcome { receiveResult(outcome) }
    }
  }

  /// Calls `receive` with the result. The call of `receive` cannot be cancelled.
  package func observe(_ receive: @escaping @Sendable (Result<Value, Failure>) -> Void) {
    _ = add(
      CancellableWork { [unowned self] _ in
        if let outcome { receive(outcome) }
      })
  }

  private func subscribe(
    _ deliver: @escaping @Sendable (CancellableWork) -> Void
  ) -> ObservationToken {
    let subscriber = CancellableWork(deliver)
    guard let number = add(subscriber) else { return ObservationToken() }
    return ObservationToken { [weak self] in
      subscriber.cancel()
      self?.remove(number)
    }
  }

  /// Adds a subscriber, which is called when the result exists. If the result already exists, calls
  /// the subscriber immediately, and does not add the subscriber.
  ///
  /// - Returns: The number that identifies the subscriber, or nil if the subscriber was called.
  private func add(_ subscriber: CancellableWork) -> UInt64? {
    let number = state.withLock { state in
      state.result == nil ? state.subscribers.append(subscriber) : nil
    }
    if number == nil { subscriber.run() }
    return number
  }

  private func remove(_ number: UInt64) {
    _ = state.withLock { $0.subscribers.remove(number) }
  }
}
