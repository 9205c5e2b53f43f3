public import HearingDSP
public import HearingFitting
public import HearingProcessing

/// Connects a session to a processor while the binding is retained.
///
///     let binding = session.bind(to: processor)
///
/// It owns the applicators that apply the session's `isEnabled`, `intensity` and `preset` to the
/// processor. They complete when the settings are validated and published, without waiting for a
/// block to be rendered. `settingsInForce` shows which settings rendering uses. A preset that the
/// processor does not support is refused by `canApply`, before any applicator applies it.
///
/// The processor uses the session's values immediately, even if another applicator delays a change
/// in progress or the session was deactivated. A preset that the processor does not support
/// is not applied: ``presetSynchronization`` fails.
///
/// Several processors may be bound to one session; releasing one binding affects neither the other
/// bindings nor the settings of its processor.
public final class ProcessorBinding: Sendable {
  /// The processor that follows the session.
  public let processor: BandGainProcessor

  /// The ear that hears each of the processor's channels; nil: no ear.
  public let ears: [Ear?]

  /// The result of applying the session's preset at the time of binding: the preset, or
  /// `ParameterError.cannotApply` if the processor does not support it.
  public let presetSynchronization: ResultPublisher<Preset?, ParameterError>

  private let output: SessionOutput
  private let settings: BoundSettings
  private let applicators: BoundSettings.Applicators

  init(
    _ session: ProcessingSession, _ processor: BandGainProcessor, ears: [Ear?],
    calibration: Calibration?, allowsOutputAboveFullScale: Bool, headphone: HeadphoneCorrection?
  ) {
    self.processor = processor
    self.ears = ears
    let values = session.values
    output = SessionOutput.of(session)
    let bound = BoundSettings(
      processor: processor, ears: ears, values: values,
      calibration: calibration ?? output.calibration ?? Calibration(),
      allowsOutputAboveFullScale: allowsOutputAboveFullScale, headphone: headphone)
    settings = bound
    if calibration == nil { output.join(bound) }
    applicators = bound.follow(session, at: values)
    presetSynchronization = session.preset.synchronizeApplicators()
  }

  /// The generation of the settings that rendering uses. It equals `processor.settingsPublished`
  /// when rendering uses the latest settings. It can be read on any thread, and reading it is
  /// wait-free.
  public var settingsInForce: UInt64 { processor.settingsInForce }

  /// The sound pressure level of digital full scale, within
  /// `ProcessorSettings.supportedFullScales`.
  ///
  /// A new value is applied immediately; routes no longer change it.
  public var calibration: Calibration {
    get { settings.calibration }
    set {
      newValue.checkRange()
      output.leave(settings)
      settings.setCalibration(newValue)
    }
  }

  /// Sets the attenuation of the processor's input by the host in dB, so that levels represent the
  /// same sound pressure as without the headroom.
  package func setHeadroom(_ headroom: Double) {
    settings.setHeadroom(headroom)
  }

  /// The headphone correction, applied before the listener's gains; nil for none. A new correction
  /// is cross-faded with the previous one.
  ///
  /// The correction belongs to the device and not to the listener. The session neither stores nor
  /// recommends it, and the correction remains active while the session is disabled.
  public var headphone: HeadphoneCorrection? {
    get { settings.headphone }
    set { settings.setHeadphone(newValue) }
  }
}

extension Calibration {
  /// Traps if the full scale is out of range, because this is a programming error.
  func checkRange() {
    precondition(
      ProcessorSettings.supportedFullScales.contains(fullScaleSPL),
      "a full scale of \(fullScaleSPL) dB SPL")
  }
}
