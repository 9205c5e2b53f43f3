/// A place for a value that `@Sendable` closures fill, read and empty.
public final class Holder<Value: Sendable>: Sendable {
  private let content: Guarded<Value?>

  /// A holder of `value`, or an empty one.
  public init(_ value: Value? = nil) {
    content = Guarded(value)
  }

  /// What is held. What it replaces is released outside the lock.
  public var value: Value? {
    get { content.withLock { $0 } }
    set {
      _ = content.withLock { content in
        let displaced = content
        content = newValue
        return displaced
      }
    }
  }

  /// Empties the holder: what was held is the caller's.
  public func take() -> Value? {
    content.withLock { $0.take() }
  }
}
