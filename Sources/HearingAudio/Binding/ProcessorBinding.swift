public import HearingDSP
public import HearingFitting
internal import HearingProcessing
internal import Synchronization

/// Joins a session to a processor for as long as it lives.
///
///     let binding = session.bind(to: processor)
///
/// It owns the applicators that put the session's `isEnabled`, `intensity` and `preset` in force in
/// the processor. They answer once the settings are validated and published, and never wait for a
/// block to be rendered; `settingsInForce` tells when rendering has taken them up. A preset that the
/// processor cannot carry is refused by `canApply`, before anything is applied anywhere.
///
/// Several processors may be bound to one session; releasing one binding leaves the others whole,
/// and its processor as it is.
public final class ProcessorBinding: Sendable {
  /// The processor that follows the session.
  public let processor: BandGainProcessor

  /// For each of the processor's channels the ear that hears it.
  public let ears: [Ear?]

  private let part: BoundSettings
  private let applicators:
    (
      preset: ProcessingApplicator<Preset?>, intensity: ProcessingApplicator<Float>,
      isEnabled: ProcessingApplicator<Bool>
    )

  init(
    _ session: ProcessingSession, _ processor: BandGainProcessor, ears: [Ear?],
    calibration: Calibration
  ) {
    self.processor = processor
    self.ears = ears
    let bound = BoundSettings(processor: processor, ears: ears, calibration: calibration)
    part = bound
    applicators = (
      session.preset.applicator()
        .canApply { bound.canCarry($0) }
        .apply { preset, result in result(bound.change { $0.preset = preset }) },
      session.intensity.applicator()
        .apply { intensity, result in result(bound.change { $0.intensity = intensity }) },
      session.isEnabled.applicator()
        .apply { isEnabled, result in result(bound.change { $0.isEnabled = isEnabled }) }
    )
    session.preset.synchronizeApplicators()
    session.intensity.synchronizeApplicators()
    session.isEnabled.synchronizeApplicators()
  }

  /// The generation of settings that rendering has taken up; any thread, wait-free.
  public var settingsInForce: UInt64 { processor.settingsInForce }

  /// Which level a digital signal stands for; a new one is put in force at once.
  ///
  /// Setting a value that is out of the processor's range changes nothing.
  public var calibration: Calibration {
    get { part.calibration }
    set { _ = part.change { $0.calibration = newValue } }
  }
}
