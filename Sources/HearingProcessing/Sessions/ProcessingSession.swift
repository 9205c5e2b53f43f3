public import Foundation
public import Observation

// Sendable because the wrapped properties are written in `init` only (the storage of a property
// wrapper is always a `var`); everything else is constant and does its own locking.
/// The period in which values can be applied to the devices that process the listener's sound.
///
///     let session = try controller.activate(presetDataSource: .default(source))
///     session.preset.reload()
///     session.isEnabled.apply(true)
///
/// It may live as long as the app, or only as long as a headphone is connected. Only
/// `ProcessingController.deactivate()` ends it. A session processes nothing: applicators do, on
/// `isEnabled`, `intensity` and `preset`.
public final class ProcessingSession: Identifiable, Observable, @unchecked Sendable {
  /// Identifies this session.
  public let id = UUID()

  /// Whether sound is processed; initially false. During an interruption it cannot be applied.
  public var isEnabled: ProcessingParameter<Bool> { parameters.isEnabled }

  /// How much of the preset's gain is applied: 0 (none) to 1 (all of it), initially 1.
  public var intensity: ProcessingParameter<Float> { parameters.intensity }

  /// The listener's preset; nil if there is no personal preset.
  public var preset: RemoteProcessingParameter<Preset?> { parameters.preset }

  /// Where `preset` comes from.
  public let presetDataSource: PresetDataSource

  /// Whether processing is interrupted. `$isInterrupted` is its publisher.
  @CurrentValue public var isInterrupted: Bool

  /// The current values of all parameters; those of an `update` change together. `$values` is their
  /// publisher.
  @CurrentValue public var values: SessionValues

  let parameters: SessionParameters
  let line: SessionLine
  let tracer: Tracer
  private let profileChanges = ProfileChanges()
  let interruptionState = Lock(Interruptions())
  let interruption = CurrentValueSource(false, observation: ObservedProperty())
  let reasonsObservation = ObservedProperty()
  let reports = SessionReports()
  private let autosave: SessionAutosave?

  init(
    presetDataSource: PresetDataSource, scheduler: any DeadlineScheduler,
    archive: SessionArchive? = nil, tracer: Tracer = Tracer()
  ) {
    self.tracer = tracer
    let edition = archive?.open()
    let start = edition?.values ?? SessionValues()
    parameters = SessionParameters(
      isEnabled: ProcessingParameter(
        start.isEnabled, scheduler: scheduler, trace: ParameterTrace(tracer, "isEnabled")),
      intensity: ProcessingParameter(
        start.intensity, scheduler: scheduler, validate: SessionValues.isValid(intensity:),
        trace: ParameterTrace(tracer, "intensity")),
      preset: RemoteProcessingParameter(
        start.preset, scheduler: scheduler, source: presetDataSource.remote(profileChanges),
        trace: ParameterTrace(tracer, "preset")))
    let line = SessionLine(
      parameters, scheduler: scheduler, trace: ParameterTrace(tracer, "session"))
    self.line = line
    _values = CurrentValue(line.whole.values) { line.follow() }
    self.presetDataSource = presetDataSource
    _isInterrupted = CurrentValue(interruption)
    if let archive, let edition {
      autosave = SessionAutosave(archive, edition: edition.number)
    } else {
      autosave = nil
    }
    autosave?.observe(self)
  }

  /// Changes several parameters together: all of them, or none.
  ///
  ///     session.update { values in
  ///       values.isEnabled = true
  ///       values.intensity = 0.5
  ///     }
  ///
  /// All changes are validated and every applicator is asked whether it can apply; then the preset,
  /// the intensity and `isEnabled` are applied in this order (`isEnabled` first when it becomes
  /// false), and the applicators of the whole session last. The values are committed together, and
  /// `$values` publishes once. No delivery mode delays an update, and no later value overtakes it.
  ///
  /// - Parameter change: Changes the values that were requested last, whether they are committed,
  ///   being applied or waiting. It is called again if another thread requests values meanwhile, but
  ///   not after this method has returned.
  /// - Returns: The result: the committed values, or the error after which nothing has changed.
  @discardableResult
  public func update(
    _ change: (inout SessionValues) -> Void
  ) -> ResultPublisher<SessionValues, ParameterError> {
    line.update(change)
  }

  /// A new applicator of all parameters together, for a device that takes all values in one write.
  ///
  /// It comes after the applicators of the single parameters, is called once for each `update` and
  /// for each parameter that changes by itself, and receives all values. Its calls never overlap:
  /// a session with such an applicator changes its parameters one after another.
  ///
  /// - Parameter name: Appears in the errors of the applicator.
  /// - Returns: The applicator. The session holds it weakly: keep it.
  public func applicator(named name: String? = nil) -> ProcessingApplicator<SessionValues> {
    line.makeApplicator(named: name)
  }

  /// The values with which the next session starts: during an interruption, `isEnabled` is the value
  /// to restore.
  var valuesToSave: SessionValues {
    // Under the lock, so that `isEnabled` and the value to restore belong together.
    interruptionState.withLock { interruptions in
      var saved = line.values
      if let valueToRestore = interruptions.valueToRestore { saved.isEnabled = valueToRestore }
      return saved
    }
  }

  /// Schedules a save, if there is a store.
  func save() {
    autosave?.save { [self] in valuesToSave }
  }

  /// Closes `isEnabled` if the session is interrupted: nobody can resolve it any more, and nothing
  /// may switch processing on. Updates of the other parameters go on.
  deinit {
    let isInterrupted = interruptionState.withLock { !$0.isClosed && $0.refusesValues }
    guard isInterrupted else { return }
    line.line.lock.withLock { _ in isEnabled.sequencer.closing(isAlone: true) }()
  }

  /// Replaces or clears the listener's profile.
  func setProfile(_ profile: HearingProfile?) {
    presetDataSource.setProfile(profile)
    profileChanges.increase()
  }

  /// Closes the session: from now on all requests fail, and what is pending is never applied.
  ///
  /// - Returns: A closure that publishes the failures and cancels loads; call it outside all locks.
  func closing() -> @Sendable () -> Void {
    let calls = interruptionState.withLock { $0.close() }
    let reports = reports.close()
    // Under the line's lock, so that no update comes into force for some parameters only.
    let closings = line.line.lock.withLock { _ in
      SessionValues.parameters.map { $0.closing(self) } + [line.closing()]
    }
    save()
    return { [self] in
      for publishFailures in closings { publishFailures() }
      preset.close()
      for call in calls { call.outcome.settle(.failure(.sessionDeactivated)) }
      for report in reports { report.settle(.failure(.sessionDeactivated)) }
      interruption.finish()
    }
  }
}

/// The parameters of a session by name.
struct SessionParameters: Sendable {
  let isEnabled: ProcessingParameter<Bool>
  let intensity: ProcessingParameter<Float>
  let preset: RemoteProcessingParameter<Preset?>
}
