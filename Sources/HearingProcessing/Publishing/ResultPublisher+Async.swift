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
    let first = ResultPublisher<Value, any Error>()
    return try await withTaskCancellationHandler {
      let token = Task.isCancelled ? nil : sink { first.settle($0.mapError { $0 }) }
      defer { token?.cancel() }
      return try await first.settled()
    } onCancel: {
      first.settle(.failure(CancellationError()))
    }
  }
}
