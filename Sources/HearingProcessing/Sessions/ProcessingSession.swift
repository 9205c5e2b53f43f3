public import Foundation
public import Observation

// This class is Sendable because the wrapped properties `isInterrupted` and `values` are written
// only in `init`. The compiler cannot check that wrapped properties are never written later,
// because the storage of a wrapped property is always a `var`. All other stored properties are
// constants. Locks protect the mutable state of the objects in these constants.
/// A period in which an app can apply values to the devices that process the listener's audio.
///
///     let session = try controller.activate(presetDataSource: .default(source))
///     session.preset.reload()
///     session.isEnabled.apply(true)
///
/// A session may last as long as the app runs, or only while a headphone is connected. Only
/// `ProcessingController.deactivate()` ends a session. A session does not process audio itself. The
/// applicators of `isEnabled`, `intensity`, `preset` and `fineTuning` control the processing.
public final class ProcessingSession: Identifiable, Observable, @unchecked Sendable {
  /// Identifies this session.
  public let id = UUID()

  /// Whether audio is processed. If the controller has a store with saved values, the initial value
  /// of `isEnabled` is the saved value. Without saved values, the initial value is false. During an
  /// interruption, `isEnabled.apply` fails.
  ///
  /// If `isEnabled` has several applicators, `isEnabled.apply(true)` can fail after some
  /// applicators have already applied true. After such a failure, `isEnabled` is false, although
  /// some targets may amplify audio. To switch these targets off, call
  /// `isEnabled.synchronizeApplicators()`.
  public let isEnabled: ProcessingParameter<Bool>

  /// The fraction of the preset's gain that is applied, from 0 (none) to 1 (all). Without saved
  /// values, the initial value is 1.
  public let intensity: ProcessingParameter<Float>

  /// The listener's preset, or nil if there is no personal preset.
  public let preset: RemoteProcessingParameter<Preset?>

  /// The listener's own adjustments: louder or softer, brighter or darker, crisper or calmer.
  /// Without saved values, there is no adjustment at first. A new preset does not change the
  /// adjustments. The adjustments are added to the fine tuning that the preset contains.
  public let fineTuning: ProcessingParameter<FineTuning>

  /// The source of `preset`.
  public let presetDataSource: PresetDataSource

  /// Whether processing is interrupted. `$isInterrupted` publishes this property.
  @CurrentValue public var isInterrupted: Bool

  /// The current values of all parameters. If one call of `update` changes several values, these
  /// values are published together. `$values` publishes this property.
  @CurrentValue public var values: SessionValues

  let lanes: SessionLanes
  let tracer: Tracer
  let reports = SessionReports()
  private let archive: SessionArchive?
  /// The number of this session in the archive. The archive ignores save requests with the number
  /// of an earlier session.
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
    let token = lanes.whole.lane.values.sink(deliversCurrent: false) { [weak self] _ in
      self?.save()
    }
    saving.withLock { $0 = token }
  }

  deinit {
    lanes.whole.lane.values.finish()
    lanes.interruption.finish()
  }

  /// Changes several parameters together. Either all changes are committed, or no change is
  /// committed. An update changes every parameter that the closure assigns, even if the closure
  /// assigns the value that the parameter already has. If the closure assigns a complete
  /// `SessionValues`, all parameters count as assigned. If the closure assigns `isEnabled` during
  /// an interruption, the update fails.
  ///
  ///     session.update { values in
  ///       values.isEnabled = true
  ///       values.intensity = 0.5
  ///     }
  ///
  /// First all changes are validated. After the validation, the `canApply` handler is called for
  /// every applicator that does not have the new values yet. Finally the preset, the fine tuning,
  /// the intensity and `isEnabled` are applied, in this order. If the update sets `isEnabled` to
  /// false, `isEnabled` is applied before the other parameters. Applicators that receive all
  /// parameters together are called last.
  ///
  /// The values of an update are committed together, and `$values` publishes once. No delivery mode
  /// delays an update. A later value never replaces an update that is still waiting.
  ///
  /// - Parameter change: Receives and modifies the values that were requested last. Possibly the
  ///   applicators have not applied these values yet. The closure is called before this method
  ///   returns, and never while this package holds a lock. If another thread requests a value of an
  ///   assigned parameter during this call, the closure is called again after a pause of at most 1
  ///   ms. The repeated call receives the new values. The closure is called at most 100 times. The
  ///   values of the last call are applied in any case. The closure must have no side effects,
  ///   because it may be called several times.
  /// - Returns: A publisher of the result: the committed values, or the error. If the update fails,
  ///   the values of the session do not change.
  @discardableResult
  public func update(
    _ change: (inout SessionValues) -> Void
  ) -> ResultPublisher<SessionValues, ParameterError> {
    lanes.update(change)
  }

  /// Creates an applicator for all parameters together, for a device that accepts all values in one
  /// write operation.
  ///
  /// The applicator is called after the applicators of single parameters. The applicator is called
  /// once for each `update`, and once for each change of a single parameter. The applicator
  /// receives the values of all parameters. While an applicator for all parameters exists, the
  /// session changes its parameters one after the other. Therefore calls of this applicator never
  /// overlap.
  ///
  /// - Parameter name: The name that identifies the applicator in errors.
  /// - Returns: The applicator. The caller must retain the applicator, because the session does not
  ///   retain it.
  public func applicator(named name: String? = nil) -> ProcessingApplicator<SessionValues> {
    lanes.whole.makeApplicator(named: name)
  }

  /// The values with which the next session starts. During an interruption, the saved value of
  /// `isEnabled` is the value that will be restored at the end of the interruption.
  private var valuesToSave: SessionValues {
    lanes.kernel.withLock { machine in
      var saved = lanes.whole.lane.values.value
      if let value = machine.interruptions.valueToRestore { saved.isEnabled = value }
      return saved
    }
  }

  /// Schedules a save operation if there is a store.
  func save() {
    archive?.save(edition) { [self] in valuesToSave }
  }

  /// Closes the session. After `closing()` has returned, new requests fail, and pending values are
  /// never applied.
  ///
  /// - Returns: A closure that publishes the failures of pending requests and cancels loads. The
  ///   caller must call the closure outside all locks.
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
