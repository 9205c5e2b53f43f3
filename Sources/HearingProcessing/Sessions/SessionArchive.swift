internal import Dispatch
internal import Foundation

/// Brings session values to a store and back, on a queue of its own.
///
/// Each session keeps an edition of its own; a save of an earlier session is ignored once the next has begun.
// Sendable because `store` and the queues are, and the rest is behind locks.
final class SessionArchive: Sendable {
  /// What the store last failed at.
  private let failures: CurrentValueSource<StoreFailure?>
  private let store: any ParameterStore
  private let queue = DispatchQueue(label: "HearingProcessing.SessionArchive")
  /// Publishes failures, so that their subscribers may wait for `queue`.
  private let news = DispatchQueue(label: "HearingProcessing.SessionArchive.News")
  private let state = Lock(State())
  private static let key = "session"
  /// The least time between two saves.
  private static let interval = Duration.milliseconds(300)
  /// Identifies the archive whose queue the current code runs on.
  private static let owner = DispatchSpecificKey<ObjectIdentifier>()
  private let scheduler: any DeadlineScheduler
  private let tracer: Tracer

  /// The values with which a session begins, and the number with which it saves.
  struct Edition: Sendable {
    let number: UInt64
    /// The values committed last, also if they could not be saved; nil if there are none, or none
    /// that can be read.
    let values: SessionValues?
  }

  private struct State: Sendable {
    var edition: UInt64 = 0
    /// Reads the values to save next.
    var pending: (@Sendable () -> SessionValues)?
    /// No save starts before this time.
    var earliestSave = Duration.zero
    /// Wakes the archive at that time.
    var timer: ObservationToken?
    /// What the store holds, as far as is known.
    var saved: SessionValues?
    /// What could not be saved; it is tried again with the next change, or the next edition.
    var unsaved: SessionValues?
    /// Something is in the store that must not be overwritten.
    var isLocked = false
  }

  /// - Parameter scheduler: Where the time between two saves passes.
  init(
    _ store: any ParameterStore, scheduler: any DeadlineScheduler,
    failures: CurrentValueSource<StoreFailure?>, tracer: Tracer = Tracer()
  ) {
    self.tracer = tracer
    self.store = store
    self.scheduler = scheduler
    self.failures = failures
    queue.setSpecific(key: Self.owner, value: ObjectIdentifier(self))
  }

  /// Begins an edition with what was kept last, after everything that is still to be saved.
  func open() -> Edition {
    let (edition, failures) = queue.sync {
      let (number, pending, unsaved) = state.withLock { state in
        state.edition += 1
        return (state.edition, state.pending.take(), state.unsaved)
      }
      if let values = pending?() ?? unsaved { save(values) }
      let content = read()
      let stillUnsaved = state.withLock { state in
        state.saved = content.saved
        state.isLocked = content.isLocked
        return state.unsaved
      }
      // The listener goes on with what was committed, not with what the store happens to hold.
      let values = stillUnsaved ?? content.values
      return (Edition(number: number, values: values), content.failures)
    }
    for failure in failures { self.failures.send(failure) }
    return edition
  }

  /// Saves what `read` returns: the first change at once, later ones at least 300 ms apart.
  func save(_ edition: UInt64, _ read: @escaping @Sendable () -> SessionValues) {
    let now = scheduler.now
    let wakeUp = state.withLock { state -> Duration? in
      guard state.edition == edition, state.pending == nil else { return nil }
      state.pending = read
      let wakeUp = max(now, state.earliestSave)
      state.earliestSave = wakeUp + Self.interval
      return wakeUp
    }
    guard let wakeUp else { return }
    guard wakeUp > now else { return queue.async { [self] in savePending() } }
    let timer = scheduler.schedule(at: wakeUp) { [self] in
      queue.async { [self] in savePending() }
    }
    _ = state.withLock { state in
      let last = state.timer
      state.timer = timer
      return last
    }
  }

  /// Saves at once what is still to be saved, and waits until it is in the store or has failed, but
  /// not longer than two seconds; inside the store's own calls it does not wait.
  func flush() {
    if DispatchQueue.getSpecific(key: Self.owner) == ObjectIdentifier(self) {
      return queue.async { [self] in savePending() }
    }
    let isDone = DispatchSemaphore(value: 0)
    queue.async { [self] in
      savePending()
      isDone.signal()
    }
    if isDone.wait(timeout: .now() + .seconds(2)) == .timedOut {
      failures.send(.saveFailed(StoreTimeout()))
    }
  }

  private func savePending() {
    let (pending, timer) = state.withLock { ($0.pending.take(), $0.timer.take()) }
    timer?.cancel()
    if let pending { save(pending()) }
  }

  private func save(_ values: SessionValues) {
    let (isNeeded, isTakenBack) = state.withLock { state in
      if state.isLocked { return (false, false) }
      // The value that could not be saved was undone since: the store holds the values in force.
      if state.saved == values { return (false, state.unsaved.take() != nil) }
      return (true, false)
    }
    if isTakenBack { tellNothingIsUnsaved() }
    guard isNeeded else { return }
    let begin = scheduler.now
    do {
      try store.save(SessionSnapshot(values).json(), for: Self.key)
      let isMadeUpFor = state.withLock { state in
        state.saved = values
        return state.unsaved.take() != nil
      }
      if isMadeUpFor { tellNothingIsUnsaved() }
      note(nil, since: begin)
    } catch {
      state.withLock { $0.unsaved = values }
      news.async { [failures] in failures.send(.saveFailed(error)) }
      note(error, since: begin)
    }
  }

  /// Traces a save.
  private func note(_ failure: (any Error)?, since begin: Duration) {
    let duration = scheduler.now - begin
    guard tracer.isOn else { return }
    news.async { [tracer] in
      tracer.note(TraceEvent(.saved, "store", duration: duration, failure: failure))
    }
  }

  private func tellNothingIsUnsaved() {
    news.async { [failures] in failures.send(nil) }
  }
}

extension SessionArchive {
  /// What was found in the store.
  private struct Content {
    var values: SessionValues?
    /// What need not be saved.
    var saved: SessionValues?
    var isLocked = false
    var failures: [StoreFailure] = []
  }

  private func read() -> Content {
    do {
      guard let data = try store.load(Self.key) else { return Content(saved: SessionValues()) }
      return read(data)
    } catch {
      return Content(isLocked: true, failures: [.loadFailed(error)])
    }
  }

  private func read(_ data: Data) -> Content {
    do {
      let values = try SessionSnapshot(json: data).values
      return Content(values: values, saved: values)
    } catch {
      return setAside(data, error)
    }
  }

  /// Copies what cannot be read to a key that is free; if that fails, nothing is saved.
  private func setAside(_ data: Data, _ reason: SessionSnapshot.Unreadable) -> Content {
    var content = Content(isLocked: true)
    do {
      for number in 1...1_000 {
        let key = "\(Self.key)-set-aside-\(number)"
        let present = try store.load(key)
        if present == nil { try store.save(data, for: key) }
        if present == nil || present == data {
          return Content(failures: [reason.failure(setAside: key)])
        }
      }
    } catch {
      content.failures.append(.saveFailed(error))
    }
    content.failures.append(reason.failure(setAside: nil))
    return content
  }
}

extension SessionSnapshot.Unreadable {
  fileprivate func failure(setAside key: String?) -> StoreFailure {
    switch self {
    case .malformed(let reason): .unreadable(reason: reason, setAside: key)
    case .newer(let version): .newer(version: version, setAside: key)
    }
  }
}

/// The store has not finished within two seconds.
struct StoreTimeout: LocalizedError, CustomStringConvertible {
  var description: String { "the store did not finish within two seconds" }
  var errorDescription: String? { description }
}
