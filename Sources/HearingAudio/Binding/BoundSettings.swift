internal import HearingDSP
internal import HearingFitting
internal import HearingProcessing
internal import Synchronization

/// What a session has put in force in one processor, and how the next change gets there.
final class BoundSettings: Sendable {
  private let processor: BandGainProcessor
  private let ears: [Ear?]
  private let values: Mutex<Values>

  /// The session's values as this processor has them.
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

  /// Puts a session's values in force at once; without the preset if the processor cannot carry it.
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

  /// Whether layout and sample rate of the processor can carry the preset.
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

  /// Puts a change in force; if the processor refuses it, everything stays as it was.
  ///
  /// The lock is held while the processor computes, so that of two changes the later one wins with
  /// the earlier one in it.
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
