internal import HearingBuffers

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
  /// A lock for memory that several threads use, for example threads that apply settings. The audio
  /// thread never uses the lock.
  ///
  /// The lock is a mutex of the C library. The thread sanitizer does not recognise
  /// `Synchronization.Mutex`, and would report data races that do not exist. Therefore
  /// `Synchronization.Mutex` is not used.
  @safe
  final class ControlLock<State> {
    private let mutex = unsafe OwnedRow(pthread_mutex_t())
    private let state: OwnedRow<State>

    init(_ state: sending State) {
      self.state = OwnedRow(state)
      unsafe pthread_mutex_init(mutex.row.pointer, nil)
    }

    deinit {
      unsafe pthread_mutex_destroy(mutex.row.pointer)
    }

    /// Runs `body` while holding the lock.
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
      unsafe pthread_mutex_lock(mutex.row.pointer)
      defer { unsafe pthread_mutex_unlock(mutex.row.pointer) }
      return body(&state[0])
    }
  }

  // The class is Sendable: the contents of `state` are accessed only while `mutex` is locked. The
  // properties `state` and `mutex` themselves never change.
  extension ControlLock: @unchecked Sendable {}
#endif
