import Foundation

// This type is Sendable, because `value` is accessed only while the lock is held.
/// A value that a lock protects. The lock is an `NSLock`, because the thread sanitizer reports
/// false races for `Mutex`.
public final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Creates a lock that protects `value`.
  public init(_ value: Value) {
    self.value = value
  }

  /// Calls `body` with the value while the lock is held.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

/// Holds an optional value. Closures on any thread can set, read and remove it.
public final class Holder<Value: Sendable>: Sendable {
  private let content: Guarded<Value?>

  /// Creates a holder. It contains `value`, or nothing if `value` is nil.
  public init(_ value: Value? = nil) {
    content = Guarded(value)
  }

  /// The value. If it is replaced, the previous value is released outside the lock.
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

/// Records events in order. Any thread can add an event.
public final class Recorder<Event: Sendable>: Sendable {
  private let recorded = Guarded<[Event]>([])

  /// Creates an empty record.
  public init() {}

  /// The events that were recorded so far.
  public var events: [Event] { recorded.withLock { $0 } }

  /// Adds an event.
  public func record(_ event: Event) {
    recorded.withLock { $0.append(event) }
  }
}
