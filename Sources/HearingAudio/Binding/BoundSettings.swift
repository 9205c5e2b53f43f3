internal import HearingDSP
internal import HearingFitting
internal import HearingProcessing

/// The settings that a session has put in force in one processor, and how its values change them.
///
/// A preset is converted once; the other values change single fields of the converted settings.
final class BoundSettings: Sendable {
  /// Whether the preset that the session had at binding is in force.
  let carriesFirstPreset: Bool
  private let processor: BandGainProcessor
  private let ears: [Ear?]
  private let state: Lock<State>

  private struct State: Sendable {
    /// The session's values as far as they are in force in the processor, without the preset.
    var values: SessionValues
    /// In force in the processor.
    var settings: ProcessorSettings
    /// The preset that `canCarry` converted last, for `apply` to use.
    var converted: Converted?
  }

  fileprivate struct Converted: Sendable {
    let preset: Preset?
    let settings: ProcessorSettings
  }

  /// Puts `values` in force at once; without the preset if the processor cannot carry it.
  init(
    processor: BandGainProcessor, ears: [Ear?], values: SessionValues, calibration: Calibration,
    allowsOutputAboveFullScale: Bool
  ) {
    self.processor = processor
    self.ears = ears
    let flat = ProcessorSettings(
      gains: ears.map { _ in processor.layout.centers.map { _ in 0 } },
      allowsOutputAboveFullScale: allowsOutputAboveFullScale, calibration: calibration)
    var settings = flat
    settings.take(values)
    do {
      settings.take(try Self.convert(values.preset, processor, ears))
      try processor.apply(settings)
      carriesFirstPreset = true
    } catch {
      settings = flat
      settings.take(values)
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

  /// Whether layout and sample rate of the processor can carry the preset.
  private func canCarry(_ preset: Preset?) -> Bool {
    do {
      let converted = try Self.convert(preset, processor, ears)
      var settings = state.withLock { state in
        state.converted = converted
        return state.settings
      }
      settings.take(converted)
      try processor.validate(settings)
      return true
    } catch {
      return false
    }
  }

  /// Lets each parameter of `session`, which has `values`, change these settings.
  ///
  /// The processor has the values already: an applicator that knows so is not called again.
  func follow(_ session: ProcessingSession, at values: SessionValues) -> Applicators {
    let preset =
      carriesFirstPreset
      ? session.preset.applicator(at: values.preset) : session.preset.applicator()
    return Applicators(
      preset: preset.canApply { [self] in canCarry($0) }.apply { [self] in $1(apply($0)) },
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
    let applicator = parameter.applicator(at: values[keyPath: path])
      .apply { [self] value, result in result(change { $0[keyPath: path] = value }) }
    // Brings a value that has changed meanwhile.
    parameter.synchronizeApplicators()
    return applicator
  }

  /// Puts a preset in force.
  private func apply(_ preset: Preset?) -> ApplicationResult {
    do {
      let known = state.withLock { $0.converted.take() }
      let converted =
        known?.preset == preset ? known : try Self.convert(preset, processor, ears)
      return update { state in
        if let converted { state.settings.take(converted) }
      }
    } catch {
      return .failure(error)
    }
  }

  /// Puts another calibration in force.
  func setCalibration(_ calibration: Calibration) {
    _ = update { $0.settings.calibration = calibration }
  }

  private func change(_ change: (inout SessionValues) -> Void) -> ApplicationResult {
    update { state in
      change(&state.values)
      state.settings.take(state.values)
    }
  }

  /// Puts a change in force; if the processor refuses it, everything stays as it was.
  ///
  /// The lock is held while the processor computes, so that of two changes the later one wins with
  /// the earlier one in it.
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
  /// Takes all that follows from a preset.
  fileprivate mutating func take(_ converted: BoundSettings.Converted) {
    let before = self
    self = converted.settings
    intensity = before.intensity
    isEnabled = before.isEnabled
    calibration = before.calibration
    allowsOutputAboveFullScale = before.allowsOutputAboveFullScale
  }

  /// Takes the values that need no conversion.
  fileprivate mutating func take(_ values: SessionValues) {
    intensity = Double(values.intensity)
    isEnabled = values.isEnabled
  }
}
