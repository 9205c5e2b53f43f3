public import Foundation
public import Observation

// Sendable because the wrapped property is written in `init` only (a wrapper's storage is a `var`
// by rule); everything else is constant and does its own locking.
/// The time during which values can be transferred to whatever processes the listener's sound.
///
///     let session = try controller.activate(presetDataSource: .default(source))
///     session.preset.reload()
///     session.isEnabled.apply(true)
///
/// It may live as long as the app, or only as long as a headphone is connected. Only
/// `ProcessingController.deactivate()` ends it. A session processes nothing: applicators do, on
/// `isEnabled`, `intensity` and `preset`.
public final class ProcessingSession: Identifiable, Observable, @unchecked Sendable {
  /// Tells this session from any other.
  public let id = UUID()

  /// Whether sound is processed; initially false. During an interruption it cannot be applied.
  public let isEnabled: ProcessingParameter<Bool>

  /// How much of the preset's gain is applied: 0 (none) to 1 (all of it), initially 1.
  public let intensity: ProcessingParameter<Float>

  /// What is applied: the listener's preset, or nil as long as nothing personal is known.
  public let preset: RemoteProcessingParameter<Preset?>

  /// Where `preset` comes from.
  public let presetDataSource: PresetDataSource

  /// Whether processing is held off for any reason. `$isInterrupted` is its publisher.
  @CurrentValue public var isInterrupted: Bool

  private let profileChanges = ProfileChanges()
  let interruptionState = Lock(Interruptions())
  let interruption = CurrentValueSource(false, observation: ObservedProperty())
  let reasonsObservation = ObservedProperty()
  let reports = SessionReports()
  let keeping: SessionKeeping?

  init(
    presetDataSource: PresetDataSource, scheduler: any DeadlineScheduler,
    archive: SessionArchive? = nil
  ) {
    let edition = archive?.open()
    let start = edition?.snapshot ?? SessionSnapshot()
    isEnabled = ProcessingParameter(start.isEnabled, scheduler: scheduler)
    intensity = ProcessingParameter(start.intensity, scheduler: scheduler) {
      $0.isFinite && (0...1).contains($0)
    }
    preset = RemoteProcessingParameter(
      start.preset, scheduler: scheduler, source: presetDataSource.remote(profileChanges))
    self.presetDataSource = presetDataSource
    _isInterrupted = CurrentValue(interruption)
    if let archive, let edition {
      keeping = SessionKeeping(archive, edition: edition.number)
    } else {
      keeping = nil
    }
    beginKeeping()
  }

  /// The listener's profile is another one, or gone.
  func setProfile(_ profile: HearingProfile?) {
    presetDataSource.setProfile(profile)
    profileChanges.increase()
  }

  /// Ends the session: whatever waits or is in flight fails.
  func close() {
    // Everything is closed before anybody is told, so that nobody who is told gets in.
    let calls = interruptionState.withLock { $0.close() }
    let reports = reports.close()
    let parameters = [
      isEnabled.sequencer.closing(), intensity.sequencer.closing(), preset.sequencer.closing(),
    ]
    keep()
    for tell in parameters { tell() }
    preset.close()
    for call in calls { call.outcome.settle(.failure(.sessionDeactivated)) }
    for report in reports { report.settle(.failure(.sessionDeactivated)) }
    interruption.finish()
  }
}
