internal import Dispatch
public import Observation

/// Creates sessions, one at a time, and owns what outlives them: the scheduler, the store and the
/// source of recommendations.
///
///     let controller = ProcessingController()
///     let session = try controller.activate(presetDataSource: .default(source))
///     …
///     controller.deactivate()
///
/// An app usually has one, `shared`; tests create their own with a `ManualScheduler`. Releasing a
/// controller does not end its session.
public final class ProcessingController: Observable, Sendable {
  /// The app's controller. It uses real time, and has no store unless `store` is set.
  public static let shared = ProcessingController()

  let scheduler: any DeadlineScheduler
  private let storage: Lock<Storage>
  /// The session, and whether one is being created, is active, or is being ended.
  private let slot = Lock((session: nil as ProcessingSession?, isTaken: false))
  /// Entered while a session is closed and its last values are passed to the archive.
  private let closing = DispatchGroup()
  private let sessions = CurrentValueSource<ProcessingSession?>(
    nil, observation: ObservedProperty())
  private let failures = CurrentValueSource<StoreFailure?>(nil)
  private let tracer = Tracer()
  private let recommendations = Lock<any RecommendationSource>(DefaultRecommendationSource())

  /// Creates a controller without a session.
  ///
  /// - Parameters:
  ///   - scheduler: Runs the debounces and time-outs of its sessions.
  ///   - store: Stores the values from session to session; nil: they are not stored.
  public init(
    scheduler: any DeadlineScheduler = DispatchScheduler(), store: (any ParameterStore)? = nil
  ) {
    self.scheduler = scheduler
    storage = Lock(Storage(store: store))
  }

  /// The publisher of the active session; nil without one.
  public var session: CurrentValuePublisher<ProcessingSession?> {
    sessions.observation?.access()
    return CurrentValuePublisher(sessions)
  }

  /// Stores the values from session to session; nil: they are not stored.
  ///
  /// It can be set only before the first activation; `shared` is created without a store.
  public var store: (any ParameterStore)? {
    get { storage.withLock { $0.store } }
    set {
      let (_, isTooLate) = storage.withLock { storage in
        let last = storage.store
        if !storage.isInUse { storage.store = newValue }
        return (last, storage.isInUse)
      }
      precondition(!isTooLate, "the store is set after a session was activated")
    }
  }

  /// The archive of the store; the first access fixes the store.
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

  /// The last failure of the store; nil if there is no store, if it has not failed, or once a
  /// later save has succeeded.
  public var storeFailure: CurrentValuePublisher<StoreFailure?> {
    CurrentValuePublisher(failures)
  }

  /// Receives the events of this controller's sessions: sequences, the answers of applicators with
  /// their durations, time-outs, interruptions, loads and saves. Nil, the default, costs nothing.
  ///
  /// Called on the thread of the event, never under a lock; it must not block.
  public var trace: (@Sendable (TraceEvent) -> Void)? {
    get { tracer.receive }
    set { tracer.receive = newValue }
  }

  /// Recommends values after listener events.
  public var recommendationSource: any RecommendationSource {
    get { recommendations.withLock { $0 } }
    set { recommendations.store(newValue) }
  }

  /// Begins a session, so that values can be applied. It switches nothing on and loads nothing.
  ///
  /// With a store, the session starts from the values that were committed last.
  ///
  /// - Throws: `ProcessingError.sessionAlreadyActivated` if there is a session.
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

  /// Ends the session: it accepts no more values, `session` becomes nil, then all pending requests
  /// fail with `sessionDeactivated`. Applied values stay applied. Without a session it only waits
  /// for the store.
  ///
  /// With a store, it returns when the last committed values are stored or saving them has failed,
  /// after at most two seconds of real time; `storeFailure` reports a failure. A concurrent second
  /// call waits as well.
  public func deactivate() {
    let ended = slot.withLock { slot in
      if slot.session != nil { closing.enter() }
      return slot.session.take()
    }
    guard let ended else {
      // Closing calls no user code, so that it cannot wait for this thread.
      closing.wait()
      storage.withLock { $0.archive }?.flush()
      return
    }
    // No subscriber sees nil while the session still accepts values.
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
