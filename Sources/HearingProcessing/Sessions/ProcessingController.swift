internal import Dispatch
public import Observation

/// Creates sessions, one at a time. The controller owns the scheduler, the store and the
/// recommendation source, which all its sessions use.
///
///     let controller = ProcessingController()
///     let session = try controller.activate(presetDataSource: .default(source))
///     …
///     controller.deactivate()
///
/// An app usually has one controller, `shared`. Tests create their own controllers with a
/// `ManualScheduler`. Releasing a controller does not end its session.
public final class ProcessingController: Observable, Sendable {
  /// The default controller of the app. `shared` uses real time, and saves values only if `store`
  /// is set.
  public static let shared = ProcessingController()

  let scheduler: any DeadlineScheduler
  private let storage: Lock<Storage>
  /// The active session and the flag `isTaken`, which is true from the creation of a session until
  /// the session has ended.
  private let slot = Lock((session: nil as ProcessingSession?, isTaken: false))
  /// The group of sessions that are closing. A session leaves the group when its last values have
  /// been passed to the archive.
  private let closing = DispatchGroup()
  private let sessions = CurrentValueSource<ProcessingSession?>(
    nil, observation: ObservedProperty())
  private let failures = CurrentValueSource<StoreFailure?>(nil)
  private let tracer = Tracer()
  private let recommendations = Lock<any RecommendationSource>(DefaultRecommendationSource())

  /// Creates a controller without a session.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that runs the timers for debouncing and time-outs.
  ///   - store: The store that saves the values of a session for the next session. If `store` is
  ///     nil, values are not stored.
  public init(
    scheduler: any DeadlineScheduler = DispatchScheduler(), store: (any ParameterStore)? = nil
  ) {
    self.scheduler = scheduler
    storage = Lock(Storage(store: store))
  }

  /// The publisher of the active session. The publisher's value is nil if no session is active.
  public var session: CurrentValuePublisher<ProcessingSession?> {
    sessions.observation?.access()
    return CurrentValuePublisher(sessions)
  }

  /// Stores the values of a session for the next session. If `store` is nil, values are not stored.
  ///
  /// The store can be set only before the first activation. `shared` is created without a store.
  public var store: (any ParameterStore)? {
    get { storage.withLock { $0.store } }
    set {
      var store = newValue
      let isTooLate = storage.withLock { storage in
        if !storage.isInUse { swap(&storage.store, &store) }
        return storage.isInUse
      }
      precondition(!isTooLate, "the store is set after a session was activated")
    }
  }

  /// The archive that uses the store. After the first access to the archive, the store can no
  /// longer be set.
  private var archive: SessionArchive? {
    storage.withLock { storage in
      storage.isInUse = true
      if storage.archive == nil, let store = storage.store {
        storage.archive = SessionArchive(
          store, scheduler: scheduler, failures: failures, tracer: tracer)
      }
      return storage.archive
    }
  }

  private struct Storage: Sendable {
    var store: (any ParameterStore)?
    var archive: SessionArchive?
    var isInUse = false
  }

  /// The last failure of the store. The value is nil if the store has not failed, or if a later
  /// save has succeeded. Subscribers are notified on a background thread.
  public var storeFailure: CurrentValuePublisher<StoreFailure?> {
    CurrentValuePublisher(failures)
  }

  /// Receives a `TraceEvent` for each event in this controller's sessions. Events are, for example,
  /// an answer of an applicator, a time-out, an interruption or a save. The default is nil.
  ///
  /// The closure is called on the thread of the event, and never under a lock. The closure must not
  /// block.
  public var trace: (@Sendable (TraceEvent) -> Void)? {
    get { tracer.receive }
    set { tracer.receive = newValue }
  }

  /// Recommends parameter values after listener events. The default source recommends these values:
  ///
  /// | event | preset | intensity | isEnabled |
  /// |---|---|---|---|
  /// | a listener signed in | reloaded | unchanged | unchanged |
  /// | a hearing test was submitted | reloaded | 1 | true |
  /// | the profile was cleared | reloaded | unchanged | false |
  /// | the listener signed out | removed | unchanged | false |
  /// | anything else | unchanged | unchanged | unchanged |
  public var recommendationSource: any RecommendationSource {
    get { recommendations.withLock { $0 } }
    set { recommendations.store(newValue) }
  }

  /// Begins a session, so that values can be applied. Without a store, processing is off at the
  /// start of the session. Activating a session does not load a preset.
  ///
  /// With a store, the session starts with the values that were committed last. If processing was
  /// enabled at the end of the last session, processing is enabled again.
  ///
  /// - Throws: `ProcessingError.sessionAlreadyActivated` if a session is already active.
  @discardableResult
  public func activate(
    presetDataSource: PresetDataSource
  ) throws(ProcessingError) -> ProcessingSession {
    let isFirst = slot.withLock { slot in
      guard !slot.isTaken else { return false }
      slot.isTaken = true
      return true
    }
    guard isFirst else { throw .sessionAlreadyActivated }
    let session = ProcessingSession(
      presetDataSource: presetDataSource, scheduler: scheduler, archive: archive, tracer: tracer)
    let publication = slot.withLock { slot in
      slot.session = session
      return sessions.enqueue(session)
    }
    publication()
    return session
  }

  /// Ends the session. First the session stops accepting values, and `session` becomes nil. All
  /// requests that are still pending fail with `sessionDeactivated`. Applied values remain applied.
  /// If there is no session, this method only waits for the store.
  ///
  /// If there is a store, this method waits until the last committed values are saved or saving has
  /// failed. The maximum wait is two seconds of real time. If saving fails, `storeFailure`
  /// publishes the failure. If two threads call `deactivate()` at the same time, both calls wait.
  public func deactivate() {
    let ended = slot.withLock { slot in
      if slot.session != nil { closing.enter() }
      return slot.session.take()
    }
    guard let ended else {
      // Waiting for the group `closing` cannot cause a deadlock, because closing a session calls no
      // code of the app.
      closing.wait()
      storage.withLock { $0.archive }?.flush()
      return
    }
    // The session must stop accepting values before the subscribers of `session` receive nil.
    let publishFailures = ended.closing()
    closing.leave()
    let publication = slot.withLock { slot in
      slot.isTaken = false
      return sessions.enqueue(nil)
    }
    publication()
    publishFailures()
    archive?.flush()
  }
}
