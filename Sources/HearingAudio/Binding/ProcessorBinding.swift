public import HearingDSP
public import HearingFitting
public import HearingProcessing
internal import Synchronization

/// Connects a session to a processor for as long as the binding is retained.
///
///     let binding = session.bind(to: processor)
///
/// It owns the applicators that apply the session's `isEnabled`, `intensity` and `preset` to the
/// processor. They answer once the settings are validated and published, and never wait for a block
/// to be rendered; ``settingsInForce`` shows which settings are being rendered. If the processor
/// does not support a preset, `canApply` refuses it before any applicator applies it.
///
/// The session's values are applied to the processor when the binding is created, even if another
/// applicator delays the session's own sequence, and even if the session has been deactivated. A
/// preset that the processor does not support is then omitted; see ``presetSynchronization``.
///
/// Several processors may be bound to one session. Releasing a binding changes neither the other
/// bindings nor the settings of its processor.
public final class ProcessorBinding: Sendable {
  /// The processor that follows the session.
  public let processor: BandGainProcessor

  /// The ear that hears each of the processor's channels; nil: no ear.
  public let ears: [Ear?]

  /// Whether the preset that the session had when the binding was created is in force: its value,
  /// or `ParameterError.cannotApply` if the processor does not support it.
  public let presetSynchronization: ResultPublisher<Preset?, ParameterError>

  private let settings: BoundSettings
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
    settings = bound
    bound.begin(
      preset: session.preset.value, intensity: session.intensity.value,
      isEnabled: session.isEnabled.value)
    applicators = (
      session.preset.applicator()
        .canApply { bound.canCarry($0) }
        .apply { preset, result in result(bound.change { $0.preset = preset }) },
      session.intensity.applicator()
        .apply { intensity, result in result(bound.change { $0.intensity = intensity }) },
      session.isEnabled.applicator()
        .apply { isEnabled, result in result(bound.change { $0.isEnabled = isEnabled }) }
    )
    presetSynchronization = session.preset.synchronizeApplicators()
    session.intensity.synchronizeApplicators()
    session.isEnabled.synchronizeApplicators()
  }

  /// The generation of the settings that are being rendered; any thread, wait-free. Equal to
  /// `processor.settingsPublished` once rendering has applied the latest settings.
  public var settingsInForce: UInt64 { processor.settingsInForce }

  /// The sound pressure level of digital full scale; a new value is applied immediately.
  ///
  /// It must be within `ProcessorSettings.supportedFullScales`.
  public var calibration: Calibration {
    get { settings.calibration }
    set {
      newValue.checkRange()
      _ = settings.change { $0.calibration = newValue }
    }
  }
}

extension Calibration {
  /// Traps if the calibration is outside the range that processors support.
  func checkRange() {
    precondition(
      ProcessorSettings.supportedFullScales.contains(fullScaleSPL),
      "a full scale of \(fullScaleSPL) dB SPL")
  }
}
