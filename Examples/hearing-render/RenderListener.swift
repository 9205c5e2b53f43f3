import ExampleSupport
import Foundation
import HearingProcessing
import HearingRemote

/// The listener for whom the sound is rendered, and the session's source of presets.
struct RenderListener {
  let presetDataSource: PresetDataSource
  /// The hearing profile; nil if a preset was given, because a preset does not contain an
  /// audiogram.
  let profile: HearingProfile?
  /// The assumptions that were made about unclear data in the audiogram file, one sentence each.
  private(set) var notes: [String] = []

  /// Reads the audiogram or the preset that the options name.
  init(_ options: RenderOptions) throws(CommandFailure) {
    if let url = options.presetURL {
      profile = nil
      presetDataSource = .custom(
        HTTPPresetSource(
          // /dev/null cannot contain files, so nothing is cached.
          url: url, directory: URL(fileURLWithPath: "/dev/null"),
          allowsInsecureHTTP: ["localhost", "127.0.0.1", "::1"].contains(url.host)))
    } else if let path = options.presetPath {
      let preset = try Self.preset(at: path, options)
      profile = nil
      presetDataSource = .custom(FixedPreset(preset: preset))
    } else if let audiogram = options.audiogram {
      var fitting = Fitting(
        techLevel: options.techLevel, rule: options.rule,
        maximumOutput: options.maximumOutput,
        program: options.program)
      if let limits = options.limits { fitting.limits = try FittingLimits(argument: limits) }
      var notes: [String] = []
      let profile = try HearingProfile(argument: audiogram) { notes = $0 }
      for note in notes { Command.warn("\(audiogram): \(note)") }
      profile.printWarnings(about: audiogram, by: "hearing-render")
      self.notes = notes
      self.profile = profile
      presetDataSource = .default(DefaultPresetDataSource(fitting: fitting, profile: profile))
    } else {
      preconditionFailure("neither an audiogram nor a preset")
    }
  }

  /// Loads the listener's preset into a session.
  ///
  /// - Throws: ``CommandFailure/noInput(path:reason:)`` if the server of `--preset-url` has no
  ///   preset. `ParameterError` if the preset cannot be loaded.
  func preset(of session: ProcessingSession, _ options: RenderOptions) async throws -> Preset {
    guard let preset = try await session.preset.reload().get() else {
      throw CommandFailure.noInput(
        path: options.listenerName, reason: "the server has no preset")
    }
    return preset
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
      throw .badData(input: path, reason: error.description)
    }
  }
}

/// A source of presets that always returns the same preset.
private struct FixedPreset: PresetLoading {
  let preset: Preset

  func loadPreset() async -> Preset? { preset }
}
