#if THREAD_SANITIZER
  internal import Foundation
#else
  internal import Synchronization
#endif

/// A value that only one thread at a time can access.
///
/// No user code may run inside `withLock`: no handler, no `==`, no `deinit` of a captured object.
/// The closure of `withLock` returns the removed values, so that the removed values are released
/// outside the lock.
///
/// The thread sanitizer reports false data races inside `Mutex`. Builds with the compilation
/// condition `THREAD_SANITIZER` therefore use `NSLock`.
package struct Lock<State: Sendable>: ~Copyable, Sendable {
  #if THREAD_SANITIZER
    private let storage: LockStorage<State>

    package init(_ state: State) {
      storage = LockStorage(state)
    }

    package borrowing func withLock<Result: Sendable>(
      _ body: (inout State) -> Result
    ) -> Result {
      storage.lock.withLock { body(&storage.state) }
    }
  #else
    private let mutex: Mutex<State>

    package init(_ state: State) {
      mutex = Mutex(state)
    }

    package borrowing func withLock<Result: Sendable>(
      _ body: (inout State) -> Result
    ) -> Result {
      mutex.withLock { state in body(&state) }
    }
  #endif
}

extension Lock {
  /// Stores `state`. The previous state is released outside the lock.
  borrowing func store(_ state: State) {
    var state = state
    withLock { swap(&$0, &state) }
  }
}

#if THREAD_SANITIZER
  // This class is Sendable because `state` is only accessed while `lock` is held.
  private final class LockStorage<State: Sendable>: @unchecked Sendable {
    let lock = NSLock()
    var state: State

    init(_ state: State) {
      self.state = state
    }
  }
#endif
