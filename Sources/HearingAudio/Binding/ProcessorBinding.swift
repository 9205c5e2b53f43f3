public import HearingDSP
public import HearingFitting
public import HearingProcessing

/// Applies the values of a session to a processor while the app retains the binding.
///
///     let binding = session.bind(to: processor)
///
/// An applicator is an object that applies each new value of one parameter. The binding owns four
/// applicators: for the session's `isEnabled`, `intensity`, `preset` and `fineTuning`. An
/// applicator reports success when the processor has checked the new settings and made them
/// available to the render thread. At this time, the render thread may not have used the new
/// settings yet. The generation number of the processor's settings increases with each change.
/// `settingsInForce` is the generation number of the settings that the render thread uses. If the
/// processor does not support a new preset, no applicator applies the preset, and `apply` fails
/// with `ParameterError.cannotApply`.
///
/// When the binding is created, the session's current values are applied to the processor, even if
/// the session is deactivated. The binding does not wait for other applicators of the session. If
/// the processor does not support the session's current preset, ``presetSynchronization`` fails,
/// and the processor gets no preset.
///
/// Several processors can be bound to one session. When a binding is released, other bindings and
/// the processor's settings do not change.
public final class ProcessorBinding: Sendable {
  /// The processor to which the session's values are applied.
  public var processor: BandGainProcessor { settings.processor }

  /// For each channel of the processor, the ear that hears the channel. Nil if neither ear hears
  /// the channel.
  public var ears: [Ear?] { settings.ears }

  /// A publisher of the result of applying the session's preset when the binding is created. On
  /// success, the publisher's value is the preset. If the processor does not support the preset,
  /// the error is `ParameterError.cannotApply`.
  public let presetSynchronization: ResultPublisher<Preset?, ParameterError>

  private let output: SessionOutput
  private let settings: BoundSettings
  private let routeToken: ObservationToken?
  private let applicators: [any Sendable]

  init(_ session: ProcessingSession, _ settings: BoundSettings, followsRoutes: Bool) {
    self.settings = settings
    output = SessionOutput.of(session)
    routeToken = followsRoutes ? output.follow { settings.enter($0) } : nil
    applicators = settings.follow(session)
    presetSynchronization = session.preset.synchronizeApplicators()
  }

  /// The generation number of the settings that the render thread uses. The number increases with
  /// each change of the settings. When the render thread uses the latest settings,
  /// `settingsInForce` equals `processor.settingsPublished`. Any thread may read this property
  /// without waiting.
  public var settingsInForce: UInt64 { processor.settingsInForce }

  /// The sound pressure level in dB SPL that an RMS of 1.0 represents. The level must be within
  /// `ProcessorSettings.supportedFullScales`.
  ///
  /// A new calibration is applied immediately. After the app has set a calibration, audio routes no
  /// longer change the calibration.
  public var calibration: Calibration {
    get { settings.current.calibration }
    set {
      newValue.checkRange()
      routeToken?.cancel()
      settings.update { state in
        state.calibration = newValue
        state.followsRoutes = false
      }
    }
  }

  /// Sets the headroom in dB. The host attenuates the processor's input by the headroom. The
  /// processor's calibration is increased by the headroom, so that levels in dB SPL do not change.
  package func setHeadroom(_ headroom: Double) {
    settings.update { $0.headroom = headroom }
  }

  /// Limits the magnitude of the output samples to `sample`, the largest sample that the host can
  /// store.
  package func setLargestSample(_ sample: Double) {
    settings.update { $0.largestSample = sample }
  }

  /// The headphone correction. Nil if there is no correction. The processor applies the correction
  /// before the listener's gains. When the correction changes, the processor cross-fades to the new
  /// correction.
  ///
  /// A correction belongs to a headphone and not to a listener. Therefore the session does not
  /// store corrections, and does not recommend corrections. The correction remains active while the
  /// session is disabled.
  public var headphone: HeadphoneCorrection? {
    get { settings.current.settings.headphone }
    set { settings.update { $0.settings.headphone = newValue } }
  }
}

extension ProcessingSession {
  /// Applies the values of this session to a processor while the app retains the returned binding.
  ///
  /// The session's current values are applied to the processor immediately.
  ///
  /// - Parameters:
  ///   - processor: The processor to which `isEnabled`, `intensity`, `preset` and `fineTuning` are
  ///     applied. After the call of `bind`, do not change the processor's settings directly.
  ///   - ears: For each channel of the processor, the ear that hears the channel. If the ear of a
  ///     channel is nil, the channel gets no gain. By default, the left ear hears the first
  ///     channel, and the right ear hears the second channel. By default, the ear of all further
  ///     channels is nil.
  ///   - calibration: The sound pressure level in dB SPL that an RMS of 1.0 represents. The level
  ///     must be within `ProcessorSettings.supportedFullScales`. If `calibration` is nil, the
  ///     session's latest audio route determines the level; see ``RouteFollower``. Before the first
  ///     audio route, an RMS of 1.0 represents 100 dB SPL.
  ///   - allowsOutputAboveFullScale: Whether output samples may exceed ±1.0. If
  ///     `allowsOutputAboveFullScale` is true, only the preset's maximum output limits the samples.
  ///     Pass true only if the receiver of the output attenuates the samples or accepts samples
  ///     beyond ±1.0.
  ///   - headphone: The headphone correction. To change the correction later, set
  ///     ``ProcessorBinding/headphone``.
  /// - Returns: The binding. Retain the binding, because the session controls the processor only
  ///   while the binding exists.
  public func bind(
    to processor: BandGainProcessor, ears: [Ear?]? = nil,
    calibration: Calibration? = nil, allowsOutputAboveFullScale: Bool = false,
    headphone: HeadphoneCorrection? = nil
  ) -> ProcessorBinding {
    let ears = ears ?? (0..<processor.spec.channelCount).map { $0 < 2 ? Ear.allCases[$0] : nil }
    precondition(
      ears.count == processor.spec.channelCount,
      "\(ears.count) ears for \(processor.spec.channelCount) channels")
    calibration?.checkRange()
    let settings = BoundSettings(
      processor: processor, ears: ears, values: values,
      calibration: calibration ?? SessionOutput.of(self).route?.calibration ?? Calibration(),
      allowsOutputAboveFullScale: allowsOutputAboveFullScale, headphone: headphone)
    return ProcessorBinding(self, settings, followsRoutes: calibration == nil)
  }
}

extension Calibration {
  /// Stops the program if `fullScaleSPL` is outside `ProcessorSettings.supportedFullScales`. Such a
  /// `fullScaleSPL` is a programming error.
  func checkRange() {
    precondition(
      ProcessorSettings.supportedFullScales.contains(fullScaleSPL),
      "a full scale of \(fullScaleSPL) dB SPL")
  }
}
