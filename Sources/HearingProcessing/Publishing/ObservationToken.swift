public import Synchronization

// Sendable because `ending` is only accessed by the one thread that moved `isOver` to true.
/// Keeps one observation alive: a subscription, or work scheduled with a scheduler.
///
/// The observation ends when `cancel()` is called or when its last reference is released. A
/// token does not keep the observed object alive, and ending an observation does not change what
/// is observed: cancelling the token of `parameter.apply(0.5)` does not stop the sequence.
///
///     var tokens: Set<ObservationToken> = []
///     session.intensity.$value.sink { print($0) }.store(in: &tokens)
///
/// Any thread may call any of its methods.
public final class ObservationToken: @unchecked Sendable {
  @usableFromInline let isOver: Atomic<Bool>
  @usableFromInline @safe @exclusivity(unchecked) var ending: Ending

  /// Creates a token that runs `onCancel` once, at the first `cancel()` or when it is released: for
  /// custom schedulers and sources.
  ///
  /// - Parameter onCancel: Called on the thread that cancels or releases, never under a lock.
  public init(_ onCancel: @escaping @Sendable () -> Void) {
    isOver = Atomic(false)
    ending = .closure(onCancel)
  }

  /// Creates a token of an observation that has already ended.
  public init() {
    isOver = Atomic(true)
    ending = .over
  }

  @inlinable
  init(_ subscription: any Cancellable) {
    isOver = Atomic(false)
    ending = .subscription(subscription)
  }

  @inlinable
  deinit {
    end()
  }

  /// Ends the observation; the second call does nothing.
  ///
  /// After a call on the delivering thread, the subscriber is not called again. After a call on
  /// another thread, a call to the subscriber that is already running may still finish.
  @inlinable
  public func cancel() {
    end()
  }

  /// Adds the token to `tokens`, which retains it.
  public func store(in tokens: inout Set<ObservationToken>) {
    tokens.insert(self)
  }

  @inlinable
  func end() {
    guard !isOver.load(ordering: .relaxed),
      !isOver.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    let last = ending
    ending = .over
    switch last {
    case .over: break
    case .subscription(let subscription): subscription.cancel()
    case .closure(let onCancel): onCancel()
    }
  }

  /// The work to do when the observation ends.
  @usableFromInline
  enum Ending: Sendable {
    case over
    case subscription(any Cancellable)
    case closure(@Sendable () -> Void)
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

/// An observation that a token can end.
@usableFromInline
protocol Cancellable: AnyObject, Sendable {
  /// Ends the observation. May be called more than once, from any thread.
  func cancel()
}
