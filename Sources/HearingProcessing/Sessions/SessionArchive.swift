internal import Dispatch
internal import Foundation

/// Saves the values of sessions in a store, and loads the saved values. The store is called on a
/// separate queue.
///
/// Each session has a number, its edition. After a new session has begun, the archive ignores save
/// requests of earlier sessions.
// This class is Sendable because `store` and the queues are Sendable, and locks protect all
// variables.
final class SessionArchive: Sendable {
  /// Publishes the last failure of the store.
  private let failures: CurrentValueSource<StoreFailure?>
  private let store: any ParameterStore
  private let queue = DispatchQueue(label: "HearingProcessing.SessionArchive")
  /// The queue that notifies the subscribers of failures. This work does not run on `queue`,
  /// because a subscriber may wait until `queue` is free.
  private let notifications = DispatchQueue(label: "HearingProcessing.SessionArchive.Notifications")
  private let state = Lock(State())
  private static let key = "session"
  /// The minimum time between the starts of two saves.
  private static let interval = Duration.milliseconds(300)
  /// The key under which a queue stores the identifier of its archive.
  private static let owner = DispatchSpecificKey<ObjectIdentifier>()
  private let scheduler: any DeadlineScheduler
  private let tracer: Tracer

  /// The edition number of a session, and the session's initial values.
  struct Edition: Sendable {
    let number: UInt64
    /// The last committed values of the previous session. If these values could not be saved,
    /// `values` still contains them. `values` is nil if no values are stored, or if the stored data
    /// is not readable.
    let values: SessionValues?
  }

  private struct State: Sendable {
    var edition: UInt64 = 0
    /// A closure that returns the values for the next save.
    var pending: (@Sendable () -> SessionValues)?
    /// The earliest start time of the next save.
    var earliestSave = Duration.zero
    /// The timer that starts the pending save.
    var timer: ObservationToken?
    /// The values in the store, or nil if unknown.
    var saved: SessionValues?
    /// The values that could not be saved, or nil if the last save succeeded. Saving is tried again
    /// when a value changes, and before the next session begins.
    var unsaved: SessionValues?
    /// True if nothing may be saved. A save would overwrite data that could not be read or copied.
    var isLocked = false
  }

  /// - Parameter scheduler: Measures the interval between two saves.
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

  /// Saves all values that wait to be saved, and then returns the edition number and the initial
  /// values of a new session.
  func open() -> Edition {
    onQueue {
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
      // Committed values that could not be saved are newer than the values in the store.
      let values = stillUnsaved ?? content.values
      for failure in content.failures { publish(failure) }
      return Edition(number: number, values: values)
    }
  }

  /// Runs `work` on the archive's queue and waits for its result. If the caller already runs on the
  /// archive's queue, runs `work` directly.
  private func onQueue<Value>(_ work: () -> Value) -> Value {
    isOnQueue ? work() : queue.sync(execute: work)
  }

  private var isOnQueue: Bool {
    DispatchQueue.getSpecific(key: Self.owner) == ObjectIdentifier(self)
  }

  /// Saves the values that `read` returns. If the previous save started at least 300 ms ago, the
  /// new save starts immediately. Otherwise the new save waits, so that two saves start at least
  /// 300 ms apart.
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
    var timer: ObservationToken? = scheduler.schedule(at: wakeUp) { [self] in
      queue.async { [self] in savePending() }
    }
    // The previous timer is released outside the lock.
    state.withLock { swap(&$0.timer, &timer) }
  }

  /// Saves pending values immediately, and waits until saving has succeeded or failed. The maximum
  /// wait is two seconds. If the method is called on the archive's queue, the method does not wait.
  func flush() {
    if isOnQueue {
      return queue.async { [self] in savePending() }
    }
    let isDone = DispatchSemaphore(value: 0)
    queue.async { [self] in
      savePending()
      isDone.signal()
    }
    guard isDone.wait(timeout: .now() + .seconds(2)) == .timedOut else { return }
    publish(.saveFailed(TimeLimitExceeded("the store", .seconds(2))))
    // The save may still succeed after the time-out. In this case, the published failure is
    // removed.
    queue.async { [self] in
      if state.withLock({ $0.unsaved == nil && !$0.isLocked }) { publish(nil) }
    }
  }

  private func savePending() {
    let (pending, timer) = state.withLock { ($0.pending.take(), $0.timer.take()) }
    timer?.cancel()
    if let pending { save(pending()) }
  }

  private func save(_ values: SessionValues) {
    let (isNeeded, isReverted) = state.withLock { state in
      if state.isLocked { return (false, false) }
      // The store already contains these values, so an earlier failure to save no longer matters.
      if state.saved == values { return (false, state.unsaved.take() != nil) }
      return (true, false)
    }
    if isReverted { publish(nil) }
    guard isNeeded else { return }
    let begin = scheduler.now
    do {
      try store.save(SessionSnapshot(values).json(), for: Self.key)
      state.withLock { ($0.saved, $0.unsaved) = (values, nil) }
      publish(nil)
      note(nil, since: begin)
    } catch {
      state.withLock { $0.unsaved = values }
      publish(.saveFailed(error))
      note(error, since: begin)
    }
  }

  /// Adds an event to the trace: the values were saved, or saving failed.
  private func note(_ failure: (any Error)?, since begin: Duration) {
    let duration = scheduler.now - begin
    guard tracer.isOn else { return }
    notifications.async { [tracer] in
      tracer.note(TraceEvent(.saved, "store", duration: duration, failure: failure))
    }
  }

  /// Stores the failure immediately, and notifies the subscribers on the queue `notifications`. If
  /// `failure` is nil, there is no failure any more.
  private func publish(_ failure: StoreFailure?) {
    if failure == nil && failures.value == nil { return }
    notifications.async(execute: failures.enqueue(failure))
  }
}

extension SessionArchive {
  /// The content of the store.
  private struct Content {
    var values: SessionValues?
    /// The values in the store, or the default values if the store is empty. These values need not
    /// be saved again.
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

  /// Copies unreadable data to an unused key. If copying fails, marks the store as locked, so that
  /// nothing is saved.
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

/// The error of a store or a recommendation source that has not finished in time.
struct TimeLimitExceeded: LocalizedError, CustomStringConvertible {
  let description: String
  var errorDescription: String? { description }

  /// - Parameter subject: The name of the component that has not finished.
  init(_ subject: String, _ limit: Duration) {
    description = "\(subject) did not finish within \(limit)"
  }
}
