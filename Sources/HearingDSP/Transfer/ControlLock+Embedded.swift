internal import HearingBuffers

#if hasFeature(Embedded)
  import Synchronization

  /// A lock for platforms without a C library: a spin lock. The lock protects memory that the audio
  /// thread never accesses.
  ///
  /// On a microcontroller and in a browser's audio worklet, only one thread or one interrupt level
  /// changes settings. Therefore no code ever waits for the lock. The audio thread never uses the
  /// lock.
  final class ControlLock<State> {
    private let isLocked = Atomic(false)
    private let state: OwnedRow<State>

    init(_ state: sending State) {
      self.state = OwnedRow(state)
    }

    /// Runs `body` while holding the lock.
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
      while isLocked.exchange(true, ordering: .acquiring) {}
      defer { isLocked.store(false, ordering: .releasing) }
      return body(&state[0])
    }
  }

  // The class is Sendable: only one thread at a time runs the closure in `withLock`, and `state` is
  // accessed only in this closure. The property `state` itself never changes.
  extension ControlLock: @unchecked Sendable {}
#endif
