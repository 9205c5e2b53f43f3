extension ResultPublisher {
  /// Waits for the result, even if the waiting task is cancelled.
  ///
  /// - Throws: The publisher's `Failure`.
  public func settled() async throws(Failure) -> Value {
    let result = await withCheckedContinuation { continuation in
      observe { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Waits for the result.
  ///
  /// - Returns: The value.
  /// - Throws: The publisher's `Failure`, or `CancellationError` if the waiting task is cancelled
  ///   first; that ends the waiting, not the work that leads to the result.
  public func get() async throws -> Value {
    let waiter = Waiter<Value>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiter.begin(continuation)
        let token = sink { completion in
          if case .failure(let failure) = completion { waiter.end(.failure(failure)) }
        } receiveValue: { value in
          waiter.end(.success(value))
        }
        waiter.keep(token)
      }
    } onCancel: {
      waiter.end(.failure(CancellationError()))
    }
  }
}

/// A waiting task: resumed exactly once, by the result or by its cancellation.
private final class Waiter<Value: Sendable>: Sendable {
  private let state = Lock(State())

  private struct State: Sendable {
    var continuation: CheckedContinuation<Value, any Error>?
    var token: ObservationToken?
    /// Set once; later outcomes are ignored.
    var outcome: Result<Value, any Error>?
  }

  func begin(_ continuation: CheckedContinuation<Value, any Error>) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.continuation = continuation }
      return state.outcome
    }
    if let outcome { continuation.resume(with: outcome) }
  }

  /// Retains the observation until the task is resumed.
  func keep(_ token: ObservationToken) {
    state.withLock { state in
      if state.outcome == nil { state.token = token }
    }
  }

  func end(_ outcome: Result<Value, any Error>) {
    let (continuation, token) = state.withLock { state in
      guard state.outcome == nil else {
        return (nil as CheckedContinuation<Value, any Error>?, nil as ObservationToken?)
      }
      state.outcome = outcome
      return (state.continuation.take(), state.token.take())
    }
    continuation?.resume(with: outcome)
    token?.cancel()
  }
}
