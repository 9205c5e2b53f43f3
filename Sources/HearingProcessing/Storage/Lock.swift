#if THREAD_SANITIZER
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #else
    internal import Musl
  #endif
#else
  public import Synchronization
#endif

/// A value that only one thread at a time can access: the one kind of lock in this module.
///
/// No user code runs inside `withLock`: no handler, no `==`, no `deinit` of a captured object. A
/// transition returns the values that it removes; they are released outside the lock.
///
/// The thread sanitizer reports false races inside `Mutex`; builds with the condition
/// `THREAD_SANITIZER` use a POSIX mutex on the heap instead.
@usableFromInline
package struct Lock<State: Sendable>: ~Copyable, Sendable {
  #if THREAD_SANITIZER
    @usableFromInline let storage: LockStorage<State>

    @usableFromInline
    package init(_ state: State) {
      storage = LockStorage(state)
    }

    @inlinable
    package borrowing func withLock<Result: Sendable>(
      _ body: (inout State) -> Result
    ) -> Result {
      storage.withLock(body)
    }
  #else
    @usableFromInline let mutex: Mutex<State>

    @inlinable @inline(__always)
    package init(_ state: State) {
      mutex = Mutex(state)
    }

    @inlinable @inline(__always)
    package borrowing func withLock<Result: Sendable>(
      _ body: (inout State) -> Result
    ) -> Result {
      mutex.withLock { state in body(&state) }
    }
  #endif
}

#if THREAD_SANITIZER
  // Sendable because `state` is only accessed between lock and unlock of `mutex`.
  @usableFromInline final class LockStorage<State: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

    init(_ initial: State) {
      pthread_mutex_init(mutex, nil)
      state.initialize(to: initial)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
      state.deinitialize(count: 1)
      state.deallocate()
    }

    @usableFromInline
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body(&state.pointee)
    }
  }
#endif
