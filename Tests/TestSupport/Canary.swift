/// An object that calls a closure when it is deallocated. A test captures this object in another
/// closure. The call then shows when the other closure is released.
public final class Canary: Sendable {
  private let onFree: @Sendable () -> Void

  /// - Parameter onFree: Called in `deinit`, on the thread that releases the last reference.
  public init(_ onFree: @escaping @Sendable () -> Void) {
    self.onFree = onFree
  }

  deinit {
    onFree()
  }

  /// Does nothing. A closure that calls this function captures the object.
  public func sing() {}
}
