/// Retains one observation: a subscription, or work that was scheduled with a `DeadlineScheduler`.
///
/// The observation ends when `cancel()` is called or when the last reference to the token is
/// released. A token does not retain the observed object. Ending a subscription does not stop the
/// observed operation. For example, if an app cancels the token of `parameter.apply(0.5).sink`, the
/// parameter still applies 0.5.
///
///     var tokens: Set<ObservationToken> = []
///     session.intensity.$value.sink { print($0) }.store(in: &tokens)
///
/// Every method may be called from any thread.
public final class ObservationToken: Sendable {
  /// The closure that ends the observation, or nil if the observation has ended.
  private let ending: Lock<(@Sendable () -> Void)?>

  /// Creates a token that calls `onCancel` once: at the first `cancel()` call, or when the token is
  /// released. Apps use this initializer in their own schedulers and sources.
  ///
  /// - Parameter onCancel: Called on the thread that cancels or releases the token, and never under
  ///   a lock.
  public init(_ onCancel: @escaping @Sendable () -> Void) {
    ending = Lock(onCancel)
  }

  /// Creates a token of an observation that has already ended.
  public init() {
    ending = Lock(nil)
  }

  deinit {
    cancel()
  }

  /// Ends the observation. A second call does nothing.
  ///
  /// If `cancel()` is called on the thread on which the subscriber is called, the subscriber is not
  /// called again. If `cancel()` is called on another thread, a running call of the subscriber may
  /// still finish.
  public func cancel() {
    let onCancel = ending.withLock { $0.take() }
    onCancel?()
  }

  /// Adds the token to the set `tokens`, which retains the token.
  public func store(in tokens: inout Set<ObservationToken>) {
    tokens.insert(self)
  }
}

extension ObservationToken {
  /// Calls `receive` on the main actor with each value of a subscription, in order.
  ///
  /// - Parameters:
  ///   - bufferingPolicy: Specifies which values are stored until the main actor can receive these
  ///     values.
  ///   - subscribe: Starts a subscription that sends its values to the continuation.
  /// - Returns: The token that retains the subscription. After `cancel()` is called on the main
  ///   actor, `receive` is not called again.
  package static func onMainActor<Value: Sendable>(
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    _ receive: @escaping @MainActor @Sendable (Value) -> Void,
    subscribe: (AsyncStream<Value>.Continuation) -> ObservationToken
  ) -> ObservationToken {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: bufferingPolicy)
    let token = subscribe(continuation)
    let task = Task { @MainActor in
      for await value in stream where !Task.isCancelled {
        receive(value)
        await Task.yield()
      }
    }
    return ObservationToken {
      token.cancel()
      task.cancel()
    }
  }
}

extension ObservationToken: Hashable {
  /// Two tokens are equal if both are the same object.
  public static func == (left: ObservationToken, right: ObservationToken) -> Bool {
    left === right
  }

  /// Hashes the token's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
