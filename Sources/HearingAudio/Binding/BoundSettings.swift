internal import HearingDSP
internal import HearingFitting
internal import HearingProcessing
internal import Synchronization

/// The values of a session that are in force in one processor. Applies changes to the processor.
final class BoundSettings: Sendable {
  private let processor: BandGainProcessor
  private let ears: [Ear?]
  private let values: Mutex<Values>

  /// The session's values that are in force in this processor, and its calibration.
  struct Values: Sendable {
    var preset: Preset?
    var intensity: Float = 1
    var isEnabled = false
    var calibration: Calibration
  }

  init(processor: BandGainProcessor, ears: [Ear?], calibration: Calibration) {
    self.processor = processor
    self.ears = ears
    values = Mutex(Values(calibration: calibration))
  }

  /// Applies a session's values immediately; without the preset if the processor does not support
  /// it.
  func begin(preset: Preset?, intensity: Float, isEnabled: Bool) {
    let result = change { values in
      values.preset = preset
      values.intensity = intensity
      values.isEnabled = isEnabled
    }
    guard case .failure = result, preset != nil else { return }
    begin(preset: nil, intensity: intensity, isEnabled: isEnabled)
  }

  var calibration: Calibration { values.withLock { $0.calibration } }

  /// Whether the processor supports the preset, with its layout and sample rate.
  func canCarry(_ preset: Preset?) -> Bool {
    var values = values.withLock { $0 }
    values.preset = preset
    do {
      try processor.validate(settings(values))
      return true
    } catch {
      return false
    }
  }

  /// Applies a change; if the processor refuses it, nothing changes.
  ///
  /// The lock is held while the processor computes, so that concurrent changes are applied one
  /// after the other and none is lost.
  func change(_ change: (inout Values) -> Void) -> ApplicationResult {
    values.withLock { values in
      var changed = values
      change(&changed)
      do {
        try processor.apply(settings(changed))
        values = changed
        return .success
      } catch {
        return .failure(error)
      }
    }
  }

  private func settings(_ values: Values) throws -> ProcessorSettings {
    try ProcessorSettings(
      preset: values.preset, layout: processor.layout, ears: ears,
      intensity: Double(values.intensity), isEnabled: values.isEnabled,
      calibration: values.calibration)
  }
}
