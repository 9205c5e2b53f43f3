public import Foundation
public import Observation

// Sendable because the wrapped properties are written in `init` only (the storage of a property
// wrapper is always a `var`); everything else is constant, and its state is under locks.
/// The period in which values can be applied to the devices that process the listener's sound.
///
///     let session = try controller.activate(presetDataSource: .default(source))
///     session.preset.reload()
///     session.isEnabled.apply(true)
///
/// It may live as long as the app, or only as long as a headphone is connected. Only
/// `ProcessingController.deactivate()` ends it. A session processes nothing: applicators do, on
/// `isEnabled`, `intensity`, `preset` and `fineTuning`.
public final class ProcessingSession: Identifiable, Observable, @unchecked Sendable {
  /// Identifies this session.
  public let id = UUID()

  /// Whether sound is processed; initially false. During an interruption it cannot be applied.
  public let isEnabled: ProcessingParameter<Bool>

  /// How much of the preset's gain is applied: 0 (none) to 1 (all of it), initially 1.
  public let intensity: ProcessingParameter<Float>

  /// The listener's preset; nil if there is no personal preset.
  public let preset: RemoteProcessingParameter<Preset?>

  /// The listener's adjustments: louder or softer, brighter or darker, crisper or calmer; initially
  /// none. They stay when the preset changes, and are added to the preset's own tuning.
  public let fineTuning: ProcessingParameter<FineTuning>

  /// Where `preset` comes from.
  public let presetDataSource: PresetDataSource

  /// Whether processing is interrupted. `$isInterrupted` is its publisher.
  @CurrentValue public var isInterrupted: Bool

  /// The current values of all parameters; those of an `update` change together. `$values` is their
  /// publisher.
  @CurrentValue public var values: SessionValues

  let lanes: SessionLanes
  let tracer: Tracer
  let reports = SessionReports()
  private let archive: SessionArchive?
  /// The number of this session in the archive, which ignores saves of earlier sessions.
  private let edition: UInt64
  private let saving = Lock<ObservationToken?>(nil)

  init(
    presetDataSource: PresetDataSource, scheduler: any DeadlineScheduler,
    archive: SessionArchive? = nil, tracer: Tracer = Tracer()
  ) {
    let stored = archive?.open()
    let lanes = SessionLanes(
      stored?.values ?? SessionValues(), scheduler: scheduler, tracer: tracer,
      source: presetDataSource.beginLoading)
    self.lanes = lanes
    self.presetDataSource = presetDataSource
    self.tracer = tracer
    self.archive = archive
    edition = stored?.number ?? 0
    isEnabled = ProcessingParameter(lanes.isEnabled)
    intensity = ProcessingParameter(lanes.intensity)
    preset = RemoteProcessingParameter(lanes.presetLoader)
    fineTuning = ProcessingParameter(lanes.fineTuning)
    _values = CurrentValue(lanes.whole.lane.values)
    _isInterrupted = CurrentValue(lanes.interruption.isInterrupted)
    guard archive != nil else { return }
    let token = lanes.whole.lane.values.sinkToNextValues { [weak self] _ in self?.save() }
    saving.withLock { $0 = token }
  }

  deinit {
    lanes.whole.lane.values.finish()
    lanes.interruption.finish()
  }

  /// Changes several parameters together: all of them, or none.
  ///
  ///     session.update { values in
  ///       values.isEnabled = true
  ///       values.intensity = 0.5
  ///     }
  ///
  /// All changes are validated and every applicator is asked whether it can apply; then the preset,
  /// the fine tuning, the intensity and `isEnabled` are applied in this order (`isEnabled` first
  /// when it becomes false), and the applicators of the whole session last. The values are
  /// committed together, and `$values` publishes once. No delivery mode delays an update, and no
  /// later value overtakes it.
  ///
  /// - Parameter change: Changes the values that were requested last, whether they are committed,
  ///   being applied or waiting. It is called once, before this method returns.
  /// - Returns: The result: the committed values, or the error after which nothing has changed.
  @discardableResult
  public func update(
    _ change: (inout SessionValues) -> Void
  ) -> ResultPublisher<SessionValues, ParameterError> {
    lanes.update(change)
  }

  /// A new applicator of all parameters together, for a device that accepts all values in one
  /// write.
  ///
  /// It comes after the applicators of the single parameters, is called once for each `update` and
  /// for each parameter that changes by itself, and receives all values. Its calls never overlap:
  /// a session with such an applicator changes its parameters one after another.
  ///
  /// - Parameter name: Appears in the errors of the applicator.
  /// - Returns: The applicator. The session holds it weakly: retain it.
  public func applicator(named name: String? = nil) -> ProcessingApplicator<SessionValues> {
    lanes.whole.makeApplicator(named: name)
  }

  /// The values with which the next session starts: during an interruption, `isEnabled` is the
  /// value to restore.
  private var valuesToSave: SessionValues {
    lanes.kernel.withLock { machine in
      var saved = lanes.whole.lane.values.value
      if let value = machine.interruptions.valueToRestore { saved.isEnabled = value }
      return saved
    }
  }

  /// Schedules a save, if there is a store.
  func save() {
    archive?.save(edition) { [self] in valuesToSave }
  }

  /// Closes the session: later requests fail, and pending values are never applied.
  ///
  /// - Returns: A closure that publishes the failures and cancels loads; call it outside all locks.
  func closing() -> @Sendable () -> Void {
    let effects = lanes.kernel.withLock { machine in
      var effects: [Effect] = []
      machine.close(&effects)
      return effects
    }
    let reports = reports.close()
    save()
    return { [self] in
      lanes.kernel.drive(effects)
      for report in reports { report.settle(.failure(.sessionDeactivated)) }
      lanes.finish()
    }
  }
}
