import Foundation

// Sendable, because `value` is only accessed between lock and unlock.
/// A value behind a lock. It uses `NSLock` because the thread sanitizer reports false races for
/// `Mutex`.
public final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Creates a lock with `value`.
  public init(_ value: Value) {
    self.value = value
  }

  /// Runs `body` under the lock.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

/// Holds a value. `@Sendable` closures can set, read and remove it.
public final class Holder<Value: Sendable>: Sendable {
  private let content: Guarded<Value?>

  /// Creates a holder with `value`, or an empty holder.
  public init(_ value: Value? = nil) {
    content = Guarded(value)
  }

  /// The value. The previous value is released outside the lock.
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

  /// Removes and returns the value.
  public func take() -> Value? {
    content.withLock { $0.take() }
  }
}

/// Records events from any thread in order.
public final class Recorder<Event: Sendable>: Sendable {
  private let recorded = Guarded<[Event]>([])

  /// Creates an empty record.
  public init() {}

  /// The events so far.
  public var events: [Event] { recorded.withLock { $0 } }

  /// Adds an event.
  public func record(_ event: Event) {
    recorded.withLock { $0.append(event) }
  }
}
