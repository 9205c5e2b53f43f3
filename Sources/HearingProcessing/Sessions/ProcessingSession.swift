public import Foundation
public import Observation

// This class is Sendable because the wrapped properties `isInterrupted` and `values` are written
// only in `init`. The compiler cannot check that wrapped properties are never written later,
// because their storage is always a `var`. All other stored properties are constants, and locks
// protect the mutable state of the constants.
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

  /// Whether audio is processed. `isEnabled` is initially false. If the controller has a store, the
  /// initial value is the last committed value. During an interruption, `isEnabled.apply` fails.
  ///
  /// With several applicators, `isEnabled.apply(true)` can fail after some applicators, for example
  /// a bound processor, have applied true. After such a failure, `isEnabled` is false, although
  /// some applicators may amplify. To switch the amplifying applicators off, call
  /// `isEnabled.synchronizeApplicators()`.
  public let isEnabled: ProcessingParameter<Bool>

  /// The fraction of the preset's gain that is applied, from 0 (none) to 1 (all). Initially 1.
  public let intensity: ProcessingParameter<Float>

  /// The listener's preset, or nil if there is no personal preset.
  public let preset: RemoteProcessingParameter<Preset?>

  /// The listener's own adjustments: louder or softer, brighter or darker, crisper or calmer.
  /// Initially there is no adjustment. A new preset does not change the adjustments. The
  /// adjustments are added to the fine tuning that the preset contains.
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

  /// Changes several parameters together. Either all changes are committed, or none. An update
  /// changes every parameter that the closure assigns, even if the closure assigns the value that
  /// the parameter already has. If the closure assigns a complete `SessionValues`, all parameters
  /// count as assigned. If the closure assigns `isEnabled` during an interruption, the update
  /// fails.
  ///
  ///     session.update { values in
  ///       values.isEnabled = true
  ///       values.intensity = 0.5
  ///     }
  ///
  /// First all changes are validated. After the validation, the `canApply` handlers of all
  /// out-of-date applicators run. Finally the preset, the fine tuning, the intensity and
  /// `isEnabled` are applied, in this order. If the update sets `isEnabled` to false, `isEnabled`
  /// is applied before the other parameters. Applicators that receive all parameters together are
  /// called last.
  ///
  /// The values of an update are committed together, and `$values` publishes once. No delivery mode
  /// delays an update, and no later value supersedes an update.
  ///
  /// - Parameter change: Receives and modifies the values that were requested last. These values
  ///   may not be applied yet. The closure is called before this method returns, and not under a
  ///   lock. If another call requests a value of an assigned parameter at the same time, the
  ///   closure is called again after a pause of at most 1 ms. The repeated call receives the new
  ///   values. The closure is called at most 100 times, and the values of the last call are applied
  ///   in any case. Because of the repeated calls, the closure must have no side effects.
  /// - Returns: The result: the committed values, or the error. If the update fails, the values of
  ///   the session do not change.
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
  /// session changes its parameters one after the other, so that calls of the applicator never
  /// overlap.
  ///
  /// - Parameter name: The name of the applicator in errors.
  /// - Returns: The applicator. The caller must retain the applicator, because the session does
  ///   not.
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
  ///   caller calls the closure outside all locks.
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
