internal import HearingMemory

#if hasFeature(Embedded)
  import Synchronization

  /// The lock of the control side where there is no C library: a spin lock.
  ///
  /// Settings come from one thread, or from one level of interrupts, on a microcontroller and in a
  /// browser's worklet; then it is never contended. Never used on the render side.
  final class ControlLock<State> {
    private let isLocked = Atomic(false)
    private let state: OwnedRow<State>

    init(_ state: sending State) {
      self.state = OwnedRow(state)
    }

    /// Runs `body` while no other thread does.
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
      while isLocked.exchange(true, ordering: .acquiring) {}
      defer { isLocked.store(false, ordering: .releasing) }
      return body(&state[0])
    }
  }

  // Sendable: `state` is reached only inside `withLock`, while `isLocked` is true for others; the
  // pointer itself is never changed after init.
  extension ControlLock: @unchecked Sendable {}
#endif
