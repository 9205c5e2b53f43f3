#if THREAD_SANITIZER
  internal import Foundation

  // This class is Sendable because `state` is only accessed while `lock` is held.
  /// Replaces the type `Mutex` of the standard library in builds with the thread sanitizer.
  private final class Mutex<State: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State

    init(_ state: State) {
      self.state = state
    }

    func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
      lock.withLock { body(&state) }
    }
  }
#else
  internal import Synchronization
#endif

/// A value that only one thread at a time can access.
///
/// Code of the app must not run inside `withLock`. Such code is, for example, a handler, the
/// operator `==`, or the `deinit` of an object from the app. If the closure of `withLock` removes
/// values from the state, the closure must return these values. The returned values are released
/// outside the lock.
///
/// The thread sanitizer reports false data races inside `Mutex`. Builds with the compilation
/// condition `THREAD_SANITIZER` therefore use `NSLock`.
package struct Lock<State: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<State>

  package init(_ state: State) {
    mutex = Mutex(state)
  }

  package borrowing func withLock<Result: Sendable>(
    _ body: (inout State) -> Result
  ) -> Result {
    mutex.withLock { state in body(&state) }
  }
}

extension Lock {
  /// Replaces the state with `state`. The previous state is released outside the lock.
  borrowing func store(_ state: State) {
    var state = state
    withLock { swap(&$0, &state) }
  }
}
