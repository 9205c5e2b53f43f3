import Foundation

// Sendable because `value` is only reached between lock and unlock.
/// A value that one thread at a time reaches, behind a lock that the thread sanitizer sees: it
/// reports false races inside `Mutex`.
public final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Guards `value`.
  public init(_ value: Value) {
    self.value = value
  }

  /// Runs `body` while no other thread does.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
