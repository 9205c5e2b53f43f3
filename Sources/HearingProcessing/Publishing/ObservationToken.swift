/// Keeps one observation alive: a subscription, or work scheduled with a scheduler.
///
/// The observation ends when `cancel()` is called or when its last reference is released. A
/// token does not keep the observed object alive, and ending an observation does not change what
/// is observed: cancelling the token of `parameter.apply(0.5)` does not stop the applying.
///
///     var tokens: Set<ObservationToken> = []
///     session.intensity.$value.sink { print($0) }.store(in: &tokens)
///
/// Any thread may call any of its methods.
public final class ObservationToken: Sendable {
  /// Ends the observation; nil once it has ended.
  private let ending: Lock<(@Sendable () -> Void)?>

  /// Creates a token that runs `onCancel` once, at the first `cancel()` or when it is released: for
  /// custom schedulers and sources.
  ///
  /// - Parameter onCancel: Called on the thread that cancels or releases, never under a lock.
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

  /// Ends the observation; the second call does nothing.
  ///
  /// After a call on the delivering thread, the subscriber is not called again. After a call on
  /// another thread, a call to the subscriber that is already running may still finish.
  public func cancel() {
    let onCancel = ending.withLock { $0.take() }
    onCancel?()
  }

  /// Adds the token to `tokens`, which retains it.
  public func store(in tokens: inout Set<ObservationToken>) {
    tokens.insert(self)
  }
}

extension ObservationToken: Hashable {
  /// Two tokens are equal if they are the same object.
  public static func == (left: ObservationToken, right: ObservationToken) -> Bool {
    left === right
  }

  /// Hashes the token's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
