public import Synchronization

/// How a result ended.
public enum Completion<Failure: Error>: Sendable {
  /// The value was delivered.
  case finished
  /// There is no value, because of this error.
  case failure(Failure)
}

extension Completion: Equatable where Failure: Equatable {}

// Sendable because `stored` is written once, by the thread that moved `phase` to a settling phase,
// and read only after `phase` has become `settled`.
/// A future with one result, which is replayed to late subscribers.
///
///     let token = parameter.apply(0.5).sink { completion in … } receiveValue: { value in … }
///     let value = try await parameter.apply(0.5).get()
///
/// It is hot: the work that leads to the result runs with or without subscribers, and ending an
/// observation does not stop it. Subscribers are called in order of subscription on the thread that
/// settles the result, late ones on their own thread before `sink` returns; never under a lock.
public final class ResultPublisher<Value: Sendable, Failure: Error>: @unchecked Sendable {
  @usableFromInline typealias Subscriber = ResultSubscription<Value, Failure>
  @usableFromInline let phase = Atomic(ResultPhase.open)
  @usableFromInline @safe @exclusivity(unchecked) var stored = StoredResult<Value, Failure>.none
  @usableFromInline let waiting = Lock(WaitingSubscribers())

  @inlinable
  package init() {}

  /// Creates a publisher that is already settled.
  @inlinable
  package convenience init(_ result: Result<Value, Failure>) {
    self.init()
    settle(result)
  }

  /// Stores the result and delivers it to all subscribers; a second result is ignored.
  ///
  /// - Returns: Whether this was the first result.
  @inlinable
  @discardableResult
  package func settle(_ result: Result<Value, Failure>) -> Bool {
    if phase.load(ordering: .relaxed) != .watched, settleUnwatched(result) { return true }
    guard moves(from: .watched, to: .settlingWatched) else { return false }
    stored = StoredResult(result)
    deliver(result)
    return true
  }

  /// Stores the result if there is no subscriber yet, and delivers it to any that join meanwhile.
  ///
  /// - Returns: False if there is a subscriber or it was settled before.
  @inlinable
  func settleUnwatched(_ result: Result<Value, Failure>) -> Bool {
    guard moves(from: .open, to: .settling) else { return false }
    stored = StoredResult(result)
    if !moves(from: .settling, to: .settled) { deliver(result) }
    return true
  }

  @inlinable
  func deliver(_ result: Result<Value, Failure>) {
    // The lock orders it with subscribers that join: each is in the list, or sees the result.
    phase.store(.settled, ordering: .releasing)
    let all = waiting.withLock { $0.removeAll() }
    // Safe: only subscribers of this type are added.
    if let first = all.first { unsafe unsafeDowncast(first, to: Subscriber.self).receive(result) }
    guard !all.subscribers.isEmpty else { return }
    for subscriber in all.subscribers {
      unsafe unsafeDowncast(subscriber, to: Subscriber.self).receive(result)
    }
  }

  /// A publisher that has already succeeded, for an app's own tests.
  public static func success(_ value: Value) -> ResultPublisher {
    ResultPublisher(.success(value))
  }

  /// A publisher that has already failed, for an app's own tests.
  public static func failure(_ error: Failure) -> ResultPublisher {
    ResultPublisher(.failure(error))
  }

  /// The result; nil until it is settled.
  @inlinable
  public var outcome: Result<Value, Failure>? {
    phase.load(ordering: .acquiring) == .settled ? stored.result : nil
  }

  /// Calls `receiveValue` and then `receiveCompletion` on success, `receiveCompletion` alone on
  /// failure; each at most once.
  ///
  /// - Returns: The token that retains the observation. It does not retain the publisher; the
  ///   result is settled with or without it.
  @inlinable
  public func sink(
    receiveCompletion: @escaping @Sendable (Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    let subscription = Subscriber(
      .init(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
    if let result = subscribe(subscription) {
      subscription.receive(result)
      return ObservationToken()
    }
    return ObservationToken(subscription)
  }

  /// Calls `receiveResult` once, with the value or the error.
  ///
  /// - Returns: The token that retains the observation, as with the two closures.
  public func sink(
    _ receiveResult: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> ObservationToken {
    sink { completion in
      if case .failure(let failure) = completion { receiveResult(.failure(failure)) }
    } receiveValue: { value in
      receiveResult(.success(value))
    }
  }

  /// Calls `receive` with the result; this observation cannot be cancelled.
  package func observe(_ receive: @escaping @Sendable (Result<Value, Failure>) -> Void) {
    let subscription = Subscriber(
      .init { completion in
        if case .failure(let failure) = completion { receive(.failure(failure)) }
      } receiveValue: {
        receive(.success($0))
      })
    if let result = subscribe(subscription) {
      subscription.receive(result)
    }
  }

  /// As `sink`, with both closures called on the main actor, in order.
  public func sinkOnMainActor(
    receiveCompletion: @escaping @MainActor @Sendable (Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor @Sendable (Value) -> Void
  ) -> ObservationToken {
    let inbox = MainActorInbox<Delivery> { delivery in
      switch delivery {
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

  /// Adds a subscriber and returns nil, or returns the result if it is settled.
  @inlinable
  func subscribe(_ subscription: Subscriber) -> Result<Value, Failure>? {
    if let outcome { return outcome }
    let waits = waiting.withLock { waiting in
      guard watch() else { return false }
      waiting.append(subscription)
      return true
    }
    return waits ? nil : outcome
  }

  /// Records that there is a subscriber; false if the result is settled. Call it under the lock.
  @inlinable
  func watch() -> Bool {
    while true {
      switch phase.load(ordering: .acquiring) {
      case .open: if moves(from: .open, to: .watched) { return true }
      case .settling: if moves(from: .settling, to: .settlingWatched) { return true }
      case .watched, .settlingWatched: return true
      case .settled: return false
      }
    }
  }

  @inlinable
  func moves(from old: ResultPhase, to new: ResultPhase) -> Bool {
    phase.compareExchange(
      expected: old, desired: new, ordering: .sequentiallyConsistent
    ).exchanged
  }

  private enum Delivery: Sendable {
    case value(Value)
    case completion(Completion<Failure>)
  }
}

/// A result, or none yet.
///
/// It is one type instead of an optional `Result`: releasing an object of a generic class asks the
/// runtime for the type of each field, and for each type within it.
@usableFromInline
enum StoredResult<Value: Sendable, Failure: Error>: Sendable {
  case none
  case success(Value)
  case failure(Failure)

  @inlinable
  init(_ result: Result<Value, Failure>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let failure): self = .failure(failure)
    }
  }

  @inlinable
  var result: Result<Value, Failure>? {
    switch self {
    case .none: nil
    case .success(let value): .success(value)
    case .failure(let failure): .failure(failure)
    }
  }
}

/// The phase of a result from its creation to its delivery. Settling takes no lock as long as there
/// is no subscriber.
@usableFromInline
enum ResultPhase: UInt8, AtomicRepresentable, Sendable {
  case open
  /// There is a subscriber.
  case watched
  /// The result is being stored.
  case settling
  /// As `settling`, and there is a subscriber.
  case settlingWatched
  case settled
}
