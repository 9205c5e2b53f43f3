/// Gives out the one session at a time, and keeps what a session needs beyond its own life.
///
///     let controller = ProcessingController()
///     let session = try controller.activate(presetDataSource: .default(source))
///     …
///     controller.deactivate()
///
/// An app usually has one, `shared`; tests make their own with a `ManualScheduler`. Releasing a
/// controller does not end its session.
public final class ProcessingController: Sendable {
  /// A controller for the whole app, on real time and without a store.
  public static let shared = ProcessingController()

  private let scheduler: any DeadlineScheduler
  private let archive: SessionArchive?
  private let slot = Lock(Slot())
  private let sessions = CurrentValueSource<ProcessingSession?>(nil)
  private let failures = CurrentValueSource<StoreFailure?>(nil)
  private let recommendations = Lock<any RecommendationSource>(DefaultRecommendationSource())

  /// A controller without a session.
  ///
  /// - Parameters:
  ///   - scheduler: Where debounces and time-outs of its sessions wait.
  ///   - store: Where values are kept from session to session; nil: they are not.
  public init(
    scheduler: any DeadlineScheduler = DispatchScheduler(), store: (any ParameterStore)? = nil
  ) {
    self.scheduler = scheduler
    archive = store.map { [failures] in SessionArchive($0, failures: failures) }
  }

  /// The active session, or nil; subscribers get it at once and see every change.
  public var session: CurrentValuePublisher<ProcessingSession?> { CurrentValuePublisher(sessions) }

  /// What the store failed at last; nil as long as it works, again after a failed save was made up
  /// for, and without a store.
  public var storeFailure: CurrentValuePublisher<StoreFailure?> {
    CurrentValuePublisher(failures)
  }

  /// Who says what is to be done when something happened to the listener.
  public var recommendationSource: any RecommendationSource {
    get { recommendations.withLock { $0 } }
    set {
      _ = recommendations.withLock { source in
        let replaced = source
        source = newValue
        return replaced
      }
    }
  }

  /// Begins a session: values can be transferred from now on. Nothing is switched on or loaded.
  ///
  /// With a store, the session starts from the values that were committed last.
  ///
  /// - Throws: `ProcessingError.sessionAlreadyActivated` if there is a session.
  @discardableResult
  public func activate(
    presetDataSource: PresetDataSource
  ) throws(ProcessingError) -> ProcessingSession {
    let isFirst = slot.withLock { slot in
      guard slot.session == nil, !slot.isTaken else { return false }
      slot.isTaken = true
      return true
    }
    guard isFirst else { throw .sessionAlreadyActivated }
    let session = ProcessingSession(
      presetDataSource: presetDataSource, scheduler: scheduler, archive: archive)
    let publication = slot.withLock { slot in
      slot = Slot(session: session)
      return sessions.enqueue(session)
    }
    sessions.deliver(publication)
    return session
  }

  /// Ends the session: `session` becomes nil, then whatever waits or is in flight fails with
  /// `sessionDeactivated`. What is applied stays applied. Without a session nothing happens.
  public func deactivate() {
    let ended = slot.withLock { slot in
      slot.session.take().map { Ended(session: $0, publication: sessions.enqueue(nil)) }
    }
    guard let ended else { return }
    sessions.deliver(ended.publication)
    ended.session.close()
  }

  /// The place for the one session.
  private struct Slot: Sendable {
    var session: ProcessingSession?
    /// Whether a session is being made for it.
    var isTaken = false
  }

  private struct Ended: Sendable {
    let session: ProcessingSession
    let publication: CurrentValueSource<ProcessingSession?>.Publication
  }
}
