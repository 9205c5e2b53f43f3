internal import HearingDSP
internal import HearingFitting
internal import HearingProcessing

/// The settings of one processor that is bound to a session; the session's values change them.
///
/// A preset is converted once; the other values change single fields of the converted settings.
final class BoundSettings: Sendable {
  /// Whether the session's preset at the time of binding was applied to the processor.
  let carriesFirstPreset: Bool
  private let processor: BandGainProcessor
  private let ears: [Ear?]
  private let state: Lock<State>

  private struct State: Sendable {
    /// The session's values that were last applied to the processor, without the preset.
    var values: SessionValues
    /// The settings that were last applied to the processor.
    var settings: ProcessorSettings
    /// The preset that `isSupported` converted last; `apply` uses it.
    var converted: Converted?
  }

  fileprivate struct Converted: Sendable {
    let preset: Preset?
    let settings: ProcessorSettings
  }

  /// Applies `values` to the processor immediately. Omits a preset that the processor does not
  /// support.
  init(
    processor: BandGainProcessor, ears: [Ear?], values: SessionValues, calibration: Calibration,
    allowsOutputAboveFullScale: Bool, headphone: HeadphoneCorrection?
  ) {
    self.processor = processor
    self.ears = ears
    var flat = ProcessorSettings(
      gains: ears.map { _ in processor.layout.centers.map { _ in 0 } },
      allowsOutputAboveFullScale: allowsOutputAboveFullScale, calibration: calibration)
    flat.headphone = headphone
    var settings = flat
    settings.update(with: values)
    do {
      settings.update(with: try Self.convert(values.preset, processor, ears))
      try processor.apply(settings)
      carriesFirstPreset = true
    } catch {
      settings = flat
      settings.update(with: values)
      do {
        try processor.apply(settings)
      } catch {
        preconditionFailure("a processor refuses settings without a preset: \(error)")
      }
      carriesFirstPreset = false
    }
    state = Lock(State(values: values, settings: settings))
  }

  var calibration: Calibration { state.withLock { $0.settings.calibration } }

  var headphone: HeadphoneCorrection? { state.withLock { $0.settings.headphone } }

  /// Whether the processor, with its layout and sample rate, supports the preset.
  private func isSupported(_ preset: Preset?) -> Bool {
    do {
      let converted = try Self.convert(preset, processor, ears)
      var settings = state.withLock { state in
        state.converted = converted
        return state.settings
      }
      settings.update(with: converted)
      try processor.validate(settings)
      return true
    } catch {
      return false
    }
  }

  /// Creates applicators through which the parameters of `session` change these settings.
  ///
  /// The processor already uses `values`, so the applicators are not called for them.
  func follow(_ session: ProcessingSession, at values: SessionValues) -> Applicators {
    Applicators(
      preset: session.preset.applicator(
        at: carriesFirstPreset ? .some(values.preset) : .none,
        canApply: { [self] preset in isSupported(preset) },
        apply: { [self] preset, result in result(apply(preset)) }),
      others: [
        follow(session.intensity, \.intensity, at: values),
        follow(session.isEnabled, \.isEnabled, at: values),
      ])
  }

  struct Applicators: Sendable {
    let preset: ProcessingApplicator<Preset?>
    let others: [any Sendable]
  }

  private func follow<Value: Equatable & Sendable>(
    _ parameter: ProcessingParameter<Value>,
    _ path: any WritableKeyPath<SessionValues, Value> & Sendable, at values: SessionValues
  ) -> any Sendable {
    let applicator = parameter.applicator(at: values[keyPath: path]) { [self] value, result in
      result(change { $0[keyPath: path] = value })
    }
    // Applies a value that has changed since `values` was read.
    parameter.synchronizeApplicators()
    return applicator
  }

  /// Applies a preset to the processor.
  private func apply(_ preset: Preset?) -> ApplicationResult {
    do {
      let known = state.withLock { $0.converted.take() }
      let converted =
        known?.preset == preset ? known : try Self.convert(preset, processor, ears)
      return update { state in
        if let converted { state.settings.update(with: converted) }
      }
    } catch {
      return .failure(error)
    }
  }

  /// Applies a new calibration to the processor.
  func setCalibration(_ calibration: Calibration) {
    _ = update { $0.settings.calibration = calibration }
  }

  /// Applies a new headphone correction to the processor; nil for none.
  func setHeadphone(_ correction: HeadphoneCorrection?) {
    _ = update { $0.settings.headphone = correction }
  }

  private func change(_ change: (inout SessionValues) -> Void) -> ApplicationResult {
    update { state in
      change(&state.values)
      state.settings.update(with: state.values)
    }
  }

  /// Applies a changed state to the processor. If the processor refuses it, the state is unchanged.
  ///
  /// The lock is held while the processor computes its settings, so that the later of two
  /// concurrent changes includes the earlier one.
  private func update(_ change: (inout State) -> Void) -> ApplicationResult {
    state.withLock { state in
      var changed = state
      change(&changed)
      do {
        try processor.apply(changed.settings)
        state = changed
        return .success
      } catch {
        return .failure(error)
      }
    }
  }

  private static func convert(
    _ preset: Preset?, _ processor: BandGainProcessor, _ ears: [Ear?]
  ) throws(BandCurve.Failure) -> Converted {
    Converted(
      preset: preset,
      settings: try ProcessorSettings(preset: preset, layout: processor.layout, ears: ears))
  }
}

extension ProcessorSettings {
  /// Replaces everything that depends on the preset.
  fileprivate mutating func update(with converted: BoundSettings.Converted) {
    let before = self
    self = converted.settings
    intensity = before.intensity
    isEnabled = before.isEnabled
    calibration = before.calibration
    allowsOutputAboveFullScale = before.allowsOutputAboveFullScale
    headphone = before.headphone
  }

  /// Replaces the values that need no conversion.
  fileprivate mutating func update(with values: SessionValues) {
    intensity = Double(values.intensity)
    isEnabled = values.isEnabled
  }
}
