/// Calls a closure when it is deallocated. Captured by another closure, it shows when that closure
/// is released.
public final class Canary: Sendable {
  private let onFree: @Sendable () -> Void

  /// - Parameter onFree: Called in `deinit`, on the thread that releases the last reference.
  public init(_ onFree: @escaping @Sendable () -> Void) {
    self.onFree = onFree
  }

  deinit {
    onFree()
  }

  /// Does nothing; call it in a closure to capture the canary.
  public func sing() {}
}
