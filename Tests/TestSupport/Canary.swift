/// An object that says when it is freed: captured by a closure, it tells when the closure goes.
public final class Canary: Sendable {
  private let onFree: @Sendable () -> Void

  /// - Parameter onFree: Called in `deinit`, on the thread that lets the last reference go.
  public init(_ onFree: @escaping @Sendable () -> Void) {
    self.onFree = onFree
  }

  deinit {
    onFree()
  }

  /// Does nothing; to be called in a closure that is to capture the canary.
  public func sing() {}
}
