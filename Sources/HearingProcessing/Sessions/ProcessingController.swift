internal import Dispatch
public import Observation

/// Creates sessions. At most one session of a controller is active at a time. All sessions of a
/// controller use the scheduler, the store and the recommendation source of the controller.
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
  /// The active session, and the flag `isTaken`. The flag is true from the creation of a session
  /// until the session has ended.
  private let slot = Lock((session: nil as ProcessingSession?, isTaken: false))
  /// Counts the calls of `deactivate()` that are closing a session. Such a call is counted until
  /// the last values of the session have been passed to the archive.
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

  /// The archive, which saves the values of sessions in the store. Nil if there is no store. After
  /// the first access to this property, the store can no longer be set.
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

  /// The last failure of the store. The published value is nil if the store has not failed, or if a
  /// later save has succeeded. Subscribers are notified on a background thread.
  public var storeFailure: CurrentValuePublisher<StoreFailure?> {
    CurrentValuePublisher(failures)
  }

  /// Receives a `TraceEvent` for each event in this controller's sessions. An event is, for
  /// example, an answer of an applicator, a time-out, an interruption or a save. The default is
  /// nil.
  ///
  /// The closure is called on the thread on which the event happens. Only the event of a save is
  /// reported on a separate background thread. The closure is never called while this package holds
  /// a lock. The closure must not block its thread.
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

  /// Begins a session, so that values can be applied. If the controller has no store, processing is
  /// off at the start of the session. This method does not load a preset.
  ///
  /// If the controller has a store, the session starts with the last committed values of the
  /// previous session. If processing was enabled at the end of the last session, processing is
  /// enabled again.
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

  /// Ends the session. The session accepts no more values, and `session` becomes nil. After that,
  /// all requests that are still pending fail with `sessionDeactivated`. Values that were already
  /// applied remain applied. If there is no session, this method only waits for the store.
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
      // The code that closes a session calls no code of the app. Therefore this wait cannot cause a
      // deadlock.
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
