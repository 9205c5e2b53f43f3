internal import Dispatch
internal import Foundation

/// Brings session values to a store and back, on a queue of its own.
// Sendable because `queue` and `store` are, and the rest is behind locks.
final class SessionArchive: Sendable {
  /// What the store last failed at.
  private let failures: CurrentValueSource<StoreFailure?>
  private let store: any ParameterStore
  private let queue = DispatchQueue(label: "HearingProcessing.SessionArchive")
  private let state = Lock(State())
  private static let key = "session"

  private struct State: Sendable {
    /// What is to be saved next; a newer snapshot takes its place.
    var pending: SessionSnapshot?
    /// What the store holds, as far as is known.
    var saved: SessionSnapshot?
    /// Something is in the store that must not be overwritten.
    var isLocked = false
  }

  init(_ store: any ParameterStore, failures: CurrentValueSource<StoreFailure?>) {
    self.store = store
    self.failures = failures
  }

  /// What was kept last, after everything that is still to be saved; nil if there is nothing.
  func load() -> SessionSnapshot? {
    queue.sync {
      state.withLock { $0.isLocked = false }
      do {
        guard let data = try store.load(Self.key) else { return nil }
        let snapshot = try read(data)
        state.withLock { $0.saved = snapshot }
        return snapshot
      } catch {
        state.withLock { $0.isLocked = true }
        failures.send(.loadFailed(error))
        return nil
      }
    }
  }

  /// Keeps `snapshot`, some time soon; of several in a row perhaps only the last.
  func save(_ snapshot: SessionSnapshot) {
    let isFirst = state.withLock { state in
      defer { state.pending = snapshot }
      return state.pending == nil
    }
    if isFirst { queue.async { [self] in savePending() } }
  }

  /// Waits until everything is saved.
  func flush() {
    queue.sync {}
  }

  private func savePending() {
    let snapshot = state.withLock { state in
      let next = state.pending.take()
      return state.isLocked || next == state.saved ? nil : next
    }
    guard let snapshot else { return }
    do {
      try store.save(snapshot.json(), for: Self.key)
      state.withLock { $0.saved = snapshot }
    } catch {
      failures.send(.saveFailed(error))
    }
  }

  private func read(_ data: Data) throws -> SessionSnapshot? {
    do {
      return try SessionSnapshot(json: data)
    } catch .malformed(let reason) {
      failures.send(.unreadable(reason: reason, setAside: setAside(data)))
    } catch .newer(let version) {
      failures.send(.newer(version: version, setAside: setAside(data)))
    }
    return nil
  }

  /// Copies what cannot be read to a key that is free; nil if that fails, and then nothing is saved.
  private func setAside(_ data: Data) -> String? {
    do {
      for number in 1...1_000 {
        let key = "\(Self.key)-set-aside-\(number)"
        guard try store.load(key) == nil else { continue }
        try store.save(data, for: key)
        return key
      }
    } catch {
      failures.send(.saveFailed(error))
    }
    state.withLock { $0.isLocked = true }
    return nil
  }
}
