/// Calls a closure when it is deallocated. If another closure captures the canary, this call shows
/// when that closure is released.
public final class Canary: Sendable {
  private let onFree: @Sendable () -> Void

  /// - Parameter onFree: Called in `deinit`, on the thread that releases the last reference.
  public init(_ onFree: @escaping @Sendable () -> Void) {
    self.onFree = onFree
  }

  deinit {
    onFree()
  }

  /// Does nothing. A closure that calls it captures the canary.
  public func sing() {}
}
