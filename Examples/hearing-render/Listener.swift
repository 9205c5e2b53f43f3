import ExampleSupport
import HearingProcessing

/// Who is to hear the sound, and where the session gets the preset from.
struct Listener {
  let presetDataSource: PresetDataSource
  /// Nil: a preset was given, which does not say what was measured.
  let profile: HearingProfile?

  /// Reads the audiogram or the preset that the options name.
  init(_ options: RenderOptions) throws(CommandFailure) {
    if let path = options.presetPath {
      let preset = try Self.preset(at: path, options)
      profile = nil
      presetDataSource = .custom(FixedPreset(preset: preset))
    } else if let audiogram = options.audiogram {
      let fitting = Fitting(
        techLevel: options.techLevel, rule: options.rule,
        maximumOutput: options.maximumOutput ?? EarPreset.defaultMaximumOutput)
      let profile = try HearingProfile(argument: audiogram)
      self.profile = profile
      presetDataSource = .default(DefaultPresetDataSource(fitting: fitting, profile: profile))
    } else {
      preconditionFailure("neither an audiogram nor a preset")
    }
  }

  private static func preset(
    at path: String, _ options: RenderOptions
  ) throws(CommandFailure) -> Preset {
    let preset = try Preset(argument: path)
    guard let maximumOutput = options.maximumOutput else { return preset }
    let ears = [preset.left, preset.right].compactMap { $0 }
    do {
      try options.check(
        maximumOutput, isLevelDependent: ears.contains { $0.isLevelDependent })
    } catch {
      throw .usage(error)
    }
    do {
      return try preset.replacingMaximumOutput { _ in maximumOutput }
    } catch {
      throw .badData(place: path, reason: error.description)
    }
  }
}

/// A preset that is there already.
private struct FixedPreset: PresetLoading {
  let preset: Preset

  func loadPreset() async -> Preset? { preset }
}
