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
    /// In force in the processor.
    var settings: ProcessorSettings
    /// The preset that `canCarry` converted last, for `apply` to use.
    var converted: Converted?
  }

  fileprivate struct Converted: Sendable {
    let preset: Preset?
    let curves: [[BandCurve]]
    let outputCeilings: [Double]
  }

  /// Puts `values` in force at once; without the preset if the processor cannot carry it.
  init(
    processor: BandGainProcessor, ears: [Ear?], values: SessionValues, calibration: Calibration
  ) {
    self.processor = processor
    self.ears = ears
    let flat = ProcessorSettings(
      gains: ears.map { _ in processor.layout.centers.map { _ in 0 } },
      intensity: Double(values.intensity), isEnabled: values.isEnabled, calibration: calibration)
    var settings = flat
    do {
      settings.take(try Self.convert(values.preset, processor, ears))
      try processor.apply(settings)
      carriesFirstPreset = true
    } catch {
      settings = flat
      do {
        try processor.apply(flat)
      } catch {
        preconditionFailure("a processor refuses settings without a preset: \(error)")
      }
      carriesFirstPreset = false
    }
    state = Lock(State(settings: settings))
  }

  var calibration: Calibration { state.withLock { $0.settings.calibration } }

  /// Whether layout and sample rate of the processor can carry the preset.
  func canCarry(_ preset: Preset?) -> Bool {
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

  /// Puts a preset in force.
  func apply(_ preset: Preset?) -> ApplicationResult {
    do {
      let known = state.withLock { $0.converted.take() }
      let converted =
        known?.preset == preset ? known : try Self.convert(preset, processor, ears)
      return change { settings in
        if let converted { settings.take(converted) }
      }
    } catch {
      return .failure(error)
    }
  }

  /// Puts a change in force; if the processor refuses it, everything stays as it was.
  ///
  /// The lock is held while the processor computes, so that of two changes the later one wins with
  /// the earlier one in it.
  func change(_ change: (inout ProcessorSettings) -> Void) -> ApplicationResult {
    state.withLock { state in
      var changed = state.settings
      change(&changed)
      do {
        try processor.apply(changed)
        state.settings = changed
        return .success
      } catch {
        return .failure(error)
      }
    }
  }

  private static func convert(
    _ preset: Preset?, _ processor: BandGainProcessor, _ ears: [Ear?]
  ) throws(BandCurve.Failure) -> Converted {
    let settings = try ProcessorSettings(preset: preset, layout: processor.layout, ears: ears)
    return Converted(
      preset: preset, curves: settings.curves, outputCeilings: settings.outputCeilings)
  }
}

extension ProcessorSettings {
  fileprivate mutating func take(_ converted: BoundSettings.Converted) {
    curves = converted.curves
    outputCeilings = converted.outputCeilings
  }
}
