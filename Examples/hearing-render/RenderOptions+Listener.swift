import Foundation
import HearingProcessing

extension RenderOptions {
  /// Where the session's preset comes from.
  func presetDataSource() throws -> PresetDataSource {
    switch listener {
    case .audiogram(let profile, _):
      let fitting = Fitting(
        techLevel: techLevel, rule: rule,
        maximumOutput: maximumOutput ?? EarPreset.defaultMaximumOutput)
      return .default(DefaultPresetDataSource(fitting: fitting, profile: profile))
    case .preset(let preset, _):
      return .custom(FixedPreset(preset: try preset.limited(to: maximumOutput)))
    }
  }

  /// The file to render.
  var inputPath: String {
    get throws {
      if let input { return input }
      guard let recording = Bundle.module.url(forResource: "speech", withExtension: "wav") else {
        throw RenderFailure.missingRecording
      }
      return recording.path
    }
  }
}

/// A preset that is there already.
private struct FixedPreset: PresetLoading {
  let preset: Preset

  func loadPreset() async -> Preset? { preset }
}

extension Preset {
  /// The same preset with another maximum output in dB SPL; itself if that is nil.
  fileprivate func limited(to maximumOutput: Double?) throws(EarPreset.Invalid) -> Preset {
    guard let maximumOutput else { return self }
    var limited = self
    for ear in Ear.allCases {
      guard let preset = self[ear] else { continue }
      limited[ear] = try EarPreset(
        frequencies: preset.frequencies, inputLevels: preset.inputLevels, gains: preset.gains,
        attackTimes: preset.attackTimes, releaseTimes: preset.releaseTimes,
        maximumOutput: maximumOutput)
    }
    return limited
  }
}
