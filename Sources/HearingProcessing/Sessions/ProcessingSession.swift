public import Foundation
public import Observation

// Sendable because the wrapped property is written in `init` only (the storage of a property
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
  public let isEnabled: ProcessingParameter<Bool>

  /// How much of the preset's gain is applied: 0 (none) to 1 (all of it), initially 1.
  public let intensity: ProcessingParameter<Float>

  /// The listener's preset; nil if there is no personal preset.
  public let preset: RemoteProcessingParameter<Preset?>

  /// Where `preset` comes from.
  public let presetDataSource: PresetDataSource

  /// Whether processing is interrupted. `$isInterrupted` is its publisher.
  @CurrentValue public var isInterrupted: Bool

  private let profileChanges = ProfileChanges()
  let interruptionState = Lock(Interruptions())
  let interruption = CurrentValueSource(false, observation: ObservedProperty())
  let reasonsObservation = ObservedProperty()
  let reports = SessionReports()
  private let autosave: SessionAutosave?

  init(
    presetDataSource: PresetDataSource, scheduler: any DeadlineScheduler,
    archive: SessionArchive? = nil
  ) {
    let edition = archive?.open()
    let start = edition?.values ?? SessionValues()
    isEnabled = ProcessingParameter(start.isEnabled, scheduler: scheduler)
    intensity = ProcessingParameter(
      start.intensity, scheduler: scheduler, validate: SessionValues.isValid(intensity:))
    preset = RemoteProcessingParameter(
      start.preset, scheduler: scheduler, source: presetDataSource.remote(profileChanges))
    self.presetDataSource = presetDataSource
    _isInterrupted = CurrentValue(interruption)
    if let archive, let edition {
      autosave = SessionAutosave(archive, edition: edition.number)
    } else {
      autosave = nil
    }
    autosave?.observe(self)
  }

  /// The current values of all parameters. Each is read separately; a parameter that changes
  /// meanwhile may be newer than the others.
  public var values: SessionValues {
    var values = SessionValues()
    for parameter in SessionValues.parameters { parameter.read(self, into: &values) }
    return values
  }

  /// The values with which the next session starts: during an interruption, `isEnabled` is the value
  /// to restore.
  var valuesToSave: SessionValues {
    // Under the lock, so that `isEnabled` and the value to restore belong together.
    interruptionState.withLock { interruptions in
      var saved = self.values
      if let valueToRestore = interruptions.valueToRestore { saved.isEnabled = valueToRestore }
      return saved
    }
  }

  /// Schedules a save, if there is a store.
  func save() {
    autosave?.save { [self] in valuesToSave }
  }

  /// Closes `isEnabled` if the session is interrupted: nobody can resolve it any more, and nothing
  /// may switch processing on.
  deinit {
    let isHeldOff = interruptionState.withLock { !$0.isClosed && $0.refusesValues }
    if isHeldOff { isEnabled.sequencer.closing()() }
  }

  /// Replaces or clears the listener's profile.
  func setProfile(_ profile: HearingProfile?) {
    presetDataSource.setProfile(profile)
    profileChanges.increase()
  }

  /// Ends the session: all pending requests fail.
  func close() {
    // Everything is closed before any failure is published, so that no subscriber can start anything.
    let calls = interruptionState.withLock { $0.close() }
    let reports = reports.close()
    let parameters = SessionValues.parameters.map { $0.closing(self) }
    save()
    for publishFailures in parameters { publishFailures() }
    preset.close()
    for call in calls { call.outcome.settle(.failure(.sessionDeactivated)) }
    for report in reports { report.settle(.failure(.sessionDeactivated)) }
    interruption.finish()
  }
}
