internal import HearingDSP
internal import HearingFitting
internal import HearingProcessing

/// Changes the settings of a `BandGainProcessor` when the values of a `ProcessingSession` change.
///
/// The values are the preset, the fine tuning, the intensity and the enabled state. A new preset or
/// a new fine tuning requires new gain curves. If only the intensity or the enabled state changes,
/// the gain curves stay unchanged.
final class BoundSettings: Sendable {
  let processor: BandGainProcessor
  let ears: [Ear?]
  private let state: Lock<State>

  struct State: Sendable {
    /// The session's values that were last applied to the processor.
    var values: SessionValues
    /// The settings that were last applied to the processor.
    var settings: ProcessorSettings
    /// The sound pressure level that samples with an RMS of 1.0 produce at the output device.
    var calibration: Calibration
    /// Whether a new audio route changes `calibration`. False after the app has set a calibration.
    var followsRoutes = true
    /// The attenuation in dB that the host applies to the processor's input. `update` adds this
    /// attenuation to the processor's calibration, so that levels in dB SPL do not change.
    var headroom = 0.0
    /// The maximum magnitude of an output sample. This maximum depends on the format in which the
    /// host stores samples.
    var largestSample = Double.infinity
  }

  /// Applies `values` to the processor immediately. Ignores a preset that the processor does not
  /// support.
  init(
    processor: BandGainProcessor, ears: [Ear?], values: SessionValues, calibration: Calibration,
    allowsOutputAboveFullScale: Bool, headphone: HeadphoneCorrection?
  ) {
    self.processor = processor
    self.ears = ears
    var initial = values
    initial.preset = nil
    var settings = ProcessorSettings(
      gains: ears.map { _ in processor.layout.centers.map { _ in 0 } },
      allowsOutputAboveFullScale: allowsOutputAboveFullScale, calibration: calibration)
    settings.headphone = headphone
    state = Lock(State(values: initial, settings: settings, calibration: calibration))
    guard case .failure = change({ $0 = values }) else { return }
    if case .failure(let error) = change({ $0 = initial }) {
      preconditionFailure("a processor refuses settings without a preset: \(error)")
    }
  }

  /// The current `State`, which contains the values and the settings.
  var current: State { state.withLock { $0 } }

  /// Whether the processor supports the preset. For example, a processor refuses a curve with too
  /// many points.
  ///
  /// To check a preset, `isSupported` converts the preset to gain curves.
  private func isSupported(_ preset: Preset?) -> Bool {
    var state = current
    state.values.preset = preset
    return (try? state.settings.updateCurves(with: state.values, processor.layout, ears)) != nil
  }

  /// Creates four applicators. An applicator is an object that applies new values of one parameter
  /// of `session` to these settings.
  ///
  /// The processor already uses the session's current values. Therefore the applicators apply only
  /// later changes.
  func follow(_ session: ProcessingSession) -> [any Sendable] {
    let values = current.values
    return [
      session.preset.applicator(
        at: values.preset == session.preset.value ? .some(values.preset) : .none,
        canApply: { [self] preset in isSupported(preset) },
        apply: { [self] preset, result in result(change { $0.preset = preset }) }),
      follow(session.fineTuning, \.fineTuning, at: values),
      follow(session.intensity, \.intensity, at: values),
      follow(session.isEnabled, \.isEnabled, at: values),
    ]
  }

  private func follow<Value: Equatable & Sendable>(
    _ parameter: ProcessingParameter<Value>,
    _ path: any WritableKeyPath<SessionValues, Value> & Sendable, at values: SessionValues
  ) -> any Sendable {
    let applicator = parameter.applicator(at: values[keyPath: path]) { [self] value, result in
      result(change { $0[keyPath: path] = value })
    }
    // The app may have changed the parameter after `values` was read. In this case, the following
    // call applies the parameter's current value.
    parameter.synchronizeApplicators()
    return applicator
  }

  func enter(_ route: AudioRoute) {
    update { if $0.followsRoutes { $0.calibration = route.calibration } }
  }

  private func change(_ change: (inout SessionValues) -> Void) -> ApplicationResult {
    update { state in
      let former = state.values
      change(&state.values)
      state.settings.intensity = Double(state.values.intensity)
      state.settings.isEnabled = state.values.isEnabled
      if former.preset != state.values.preset || former.fineTuning != state.values.fineTuning {
        try state.settings.updateCurves(with: state.values, processor.layout, ears)
      }
    }
  }

  /// Changes the state, and applies the changed settings to the processor. If the processor refuses
  /// the changed settings, the state and the processor do not change.
  ///
  /// The method holds the lock of `state` until the processor has accepted the changed settings.
  /// Therefore, if two threads change the settings at the same time, no change is lost.
  @discardableResult
  func update(_ change: (inout State) throws -> Void) -> ApplicationResult {
    state.withLock { state in
      do {
        var changed = state
        try change(&changed)
        // The host attenuates the samples by `headroom`. Therefore, after the attenuation, an RMS
        // of 1.0 represents a sound pressure level that is higher by `headroom`.
        changed.settings.calibration.fullScaleSPL = min(
          ProcessorSettings.supportedFullScales.upperBound,
          changed.calibration.fullScaleSPL + changed.headroom)
        var settings = changed.settings
        let peak = CMath.decibels(amplitude: changed.largestSample / 2.0.squareRoot())
        let largest = max(0, settings.calibration.fullScaleSPL + peak)
        settings.outputCeilings = settings.outputCeilings.map { min($0, largest) }
        try processor.apply(settings)
        state = changed
        return .success
      } catch {
        return .failure(error)
      }
    }
  }
}

extension ProcessorSettings {
  /// Replaces the gain curves and the output ceilings. The gain curves and the output ceilings
  /// depend on the preset and on the listener's fine tuning.
  fileprivate mutating func updateCurves(
    with values: SessionValues, _ layout: BandLayout, _ ears: [Ear?]
  ) throws(BandCurve.Invalid) {
    var preset = values.preset
    if let tuning = preset?.fineTuning, values.fineTuning != .none {
      preset?.fineTuning = tuning.adding(values.fineTuning)
    }
    let converted = try ProcessorSettings(preset: preset, layout: layout, ears: ears)
    curves = converted.curves
    outputCeilings = converted.outputCeilings
  }
}
