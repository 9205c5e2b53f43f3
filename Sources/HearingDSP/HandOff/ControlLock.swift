#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

#if !hasFeature(Embedded)
  /// A lock for the memory of the control side.
  ///
  /// A mutex of the C library rather than `Synchronization.Mutex`: the thread sanitizer does not see
  /// through the latter and reports false races. Never used on the render side.
  final class ControlLock<State> {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let state: UnsafeMutablePointer<State>

    init(_ state: sending State) {
      mutex = .allocate(capacity: 1)
      mutex.initialize(to: pthread_mutex_t())
      pthread_mutex_init(mutex, nil)
      self.state = .allocate(capacity: 1)
      self.state.initialize(to: state)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
      state.deinitialize(count: 1)
      state.deallocate()
    }

    /// Runs `body` while holding the lock.
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body(&state.pointee)
    }
  }

  // Sendable: `state` is reached only inside `withLock`, between locking and unlocking `mutex`; the
  // pointers themselves are never changed after init.
  extension ControlLock: @unchecked Sendable {}
#endif
