extension ProcessingSession {
  /// Has every value kept from now on, if there is where.
  func beginKeeping() {
    guard let keeping else { return }
    let keep: @Sendable () -> Void = { [weak self] in self?.keep() }
    keeping.watch([
      isEnabled.$value.sink { _ in keep() },
      intensity.$value.sink { _ in keep() },
      preset.$value.sink { _ in keep() },
    ])
  }

  /// Has the values kept as they stand when they are saved.
  func keep() {
    keeping?.keep { [self] in snapshot }
  }

  /// What is to be found again by the next session: during an interruption, the value to restore.
  var snapshot: SessionSnapshot {
    // Under the lock, so that `isEnabled` and the value to restore are of the same moment.
    let wanted = interruptionState.withLock { $0.valueToRestore ?? isEnabled.$value.value }
    return SessionSnapshot(
      isEnabled: wanted, intensity: intensity.$value.value, preset: preset.$value.value)
  }
}
