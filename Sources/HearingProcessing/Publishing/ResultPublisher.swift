/// How a result ended.
public enum Completion<Failure: Error>: Sendable {
  /// The value was delivered.
  case finished
  /// There is no value, because of this error.
  case failure(Failure)
}

extension Completion: Equatable where Failure: Equatable {}

/// A future with one result, which is replayed to late subscribers.
///
///     let token = parameter.apply(0.5).sink { completion in … } receiveValue: { value in … }
///     let value = try await parameter.apply(0.5).get()
///
/// It is hot: the work that leads to the result runs with or without subscribers, and ending an
/// observation does not stop it. Subscribers are called in order of subscription on the thread that
/// settles the result, late ones on their own thread before `sink` returns; never under a lock.
public final class ResultPublisher<Value: Sendable, Failure: Error>: Sendable {
  private typealias Stored = ValueBox<Result<Value, Failure>>

  private let state = Lock((result: nil as Box?, subscribers: OrderedList<ResultSubscriber>()))

  package init() {}

  /// Creates a publisher that is already settled.
  package convenience init(_ result: Result<Value, Failure>) {
    self.init()
    settle(result)
  }

  /// A publisher that has already succeeded, for an app's own tests.
  public static func success(_ value: Value) -> ResultPublisher {
    ResultPublisher(.success(value))
  }

  /// A publisher that has already failed, for an app's own tests.
  public static func failure(_ error: Failure) -> ResultPublisher {
    ResultPublisher(.failure(error))
  }

  /// Stores the result and delivers it to all subscribers; a second result is ignored.
  ///
  /// - Returns: Whether this was the first result.
  @discardableResult
  package func settle(_ result: Result<Value, Failure>) -> Bool {
    let box = Stored(result)
    let subscribers = state.withLock { state -> [ResultSubscriber]? in
      guard state.result == nil else { return nil }
      state.result = box
      return state.subscribers.removeAll()
    }
    guard let subscribers else { return false }
    for subscriber in subscribers { subscriber.deliver() }
    return true
  }

  /// The result; nil until it is settled.
  public var outcome: Result<Value, Failure>? {
    state.withLock { $0.result }.map { Stored.open($0) }
  }

  /// For tests: how many subscribers wait for the result.
  var subscriberCount: Int {
    state.withLock { $0.subscribers.count }
  }

  /// Calls `receiveValue` and then `receiveCompletion` on success, `receiveCompletion` alone on
  /// failure; each at most once.
  ///
  /// - Returns: The token that retains the observation. It does not retain the publisher; the
  ///   result is settled with or without it.
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
  /// - Returns: The token that retains the observation, as with the two closures.
  public func sink(
    _ receiveResult: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> ObservationToken {
    subscribe { [unowned self] _ in
      if let outcome { receiveResult(outcome) }
    }
  }

  /// Calls `receive` with the result; this observation cannot be cancelled.
  package func observe(_ receive: @escaping @Sendable (Result<Value, Failure>) -> Void) {
    _ = add(
      ResultSubscriber { [unowned self] _ in
        if let outcome { receive(outcome) }
      })
  }

  private func subscribe(
    _ deliver: @escaping @Sendable (ResultSubscriber) -> Void
  ) -> ObservationToken {
    let subscriber = ResultSubscriber(deliver)
    guard let number = add(subscriber) else { return ObservationToken() }
    return ObservationToken { [weak self] in
      subscriber.cancel()
      self?.remove(number)
    }
  }

  /// Adds a subscriber, or calls it at once if there is a result.
  ///
  /// - Returns: Its number; nil if it was called.
  private func add(_ subscriber: ResultSubscriber) -> UInt64? {
    let number = state.withLock { state in
      state.result == nil ? state.subscribers.append(subscriber) : nil
    }
    if number == nil { subscriber.deliver() }
    return number
  }

  private func remove(_ number: UInt64) {
    _ = state.withLock { $0.subscribers.remove(number) }
  }
}

/// One subscriber of a result, without the type of the result: called once, then its closure is
/// released.
private final class ResultSubscriber: Sendable {
  typealias Deliver = @Sendable (ResultSubscriber) -> Void

  private let state: Lock<(deliver: Deliver?, isCancelled: Bool)>

  init(_ deliver: @escaping Deliver) {
    state = Lock((deliver, isCancelled: false))
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func deliver() {
    let deliver = state.withLock { $0.deliver.take() }
    deliver?(self)
  }

  func cancel() {
    _ = state.withLock { state in
      state.isCancelled = true
      return state.deliver.take()
    }
  }
}
