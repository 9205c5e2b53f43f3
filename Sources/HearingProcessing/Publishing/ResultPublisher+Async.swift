extension ResultPublisher {
  /// Waits for the result. Cancelling the waiting task does not end the wait.
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
  ///   before the result exists. Cancelling the task does not stop the operation that produces the
  ///   result.
  public func get() async throws -> Value {
    if let outcome { return try outcome.get() }
    let first = ResultPublisher<Value, any Error>()
    return try await withTaskCancellationHandler {
      let token = Task.isCancelled ? nil : sink { first.settle($0.mapError { $0 }) }
      defer { token?.cancel() }
      return try await first.settled()
    } onCancel: {
      first.settle(.failure(CancellationError()))
    }
  }

  /// Subscribes to the result, and calls the closures on the main actor. On success, calls
  /// `receiveValue` and then `receiveCompletion`. On failure, calls only `receiveCompletion`. The
  /// returned token retains the publisher until the result exists.
  public func sinkOnMainActor(
    receiveCompletion: @escaping @MainActor @Sendable (Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor @Sendable (Value) -> Void
  ) -> ObservationToken {
    let task = Task { @MainActor in
      _ = try? await get()
      guard !Task.isCancelled, let outcome else { return }
      switch outcome {
      case .success(let value):
        receiveValue(value)
        if !Task.isCancelled { receiveCompletion(.finished) }
      case .failure(let failure):
        receiveCompletion(.failure(failure))
      }
    }
    return ObservationToken { task.cancel() }
  }
}
