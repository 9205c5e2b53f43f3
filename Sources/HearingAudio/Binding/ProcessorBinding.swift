public import HearingDSP
public import HearingFitting
public import HearingProcessing

/// Joins a session to a processor for as long as it lives.
///
///     let binding = session.bind(to: processor)
///
/// It owns the applicators that put the session's `isEnabled`, `intensity` and `preset` in force in
/// the processor. They answer once the settings are validated and published, and never wait for a
/// block to be rendered; `settingsInForce` tells when rendering has taken them up. A preset that the
/// processor cannot carry is refused by `canApply`, before anything is applied anywhere.
///
/// The processor has the session's values from the start, also where another applicator holds up
/// the sequence that would bring them, and after the session was deactivated. A preset that it cannot
/// carry is left out: ``presetSynchronization`` fails.
///
/// Several processors may be bound to one session; releasing one binding leaves the others whole,
/// and its processor as it is.
public final class ProcessorBinding: Sendable {
  /// The processor that follows the session.
  public let processor: BandGainProcessor

  /// For each of the processor's channels the ear that hears it.
  public let ears: [Ear?]

  /// Whether the preset that the session had at binding is in force: its value, or
  /// `ParameterError.cannotApply` if the processor cannot carry it.
  public let presetSynchronization: ResultPublisher<Preset?, ParameterError>

  private let settings: BoundSettings
  private let applicators: BoundSettings.Applicators

  init(
    _ session: ProcessingSession, _ processor: BandGainProcessor, ears: [Ear?],
    calibration: Calibration, allowsOutputAboveFullScale: Bool
  ) {
    self.processor = processor
    self.ears = ears
    let values = session.values
    let bound = BoundSettings(
      processor: processor, ears: ears, values: values, calibration: calibration,
      allowsOutputAboveFullScale: allowsOutputAboveFullScale)
    settings = bound
    applicators = bound.follow(session, at: values)
    presetSynchronization = session.preset.synchronizeApplicators()
  }

  /// The generation of settings that rendering has taken up; any thread, wait-free. Equal to
  /// `processor.settingsPublished` once it has caught up.
  public var settingsInForce: UInt64 { processor.settingsInForce }

  /// Which level a digital signal stands for; a new one is put in force at once.
  ///
  /// It must be within `ProcessorSettings.supportedFullScales`.
  public var calibration: Calibration {
    get { settings.calibration }
    set {
      newValue.checkRange()
      settings.setCalibration(newValue)
    }
  }
}

extension Calibration {
  /// A calibration that no processor takes is the caller's mistake.
  func checkRange() {
    precondition(
      ProcessorSettings.supportedFullScales.contains(fullScaleSPL),
      "a full scale of \(fullScaleSPL) dB SPL")
  }
}
