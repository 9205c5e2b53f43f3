import ExampleSupport
import HearingProcessing

/// Who is to hear the sound, and how presets for that listener are made.
struct LiveListener: Sendable {
  /// Nil: nobody has been named, or by a preset.
  let profile: HearingProfile?
  /// The preset to begin with, if it was given as a file.
  let preset: Preset?
  let rule: PrescriptionRule?
  private let maximumOutput: Double?
  private let carriedOutput: Double

  init(_ options: LiveOptions) throws(CommandFailure) {
    rule = options.rule
    maximumOutput = options.maximumOutput
    carriedOutput = options.carriedOutput
    profile = try options.audiogram.map { (name) throws(CommandFailure) in
      try HearingProfile(argument: name)
    }
    guard let path = options.presetPath else {
      preset = nil
      return
    }
    preset = try Self.preset(at: path, options.maximumOutput, options.carriedOutput)
  }

  /// Whether there is anybody to process the sound for.
  var isKnown: Bool { profile != nil || preset != nil }

  /// A fitting for gains that depend on level, or by another rule.
  func fitting(_ rule: PrescriptionRule?) -> Fitting {
    Fitting(
      techLevel: 3, rule: rule,
      maximumOutput: min(maximumOutput ?? EarPreset.defaultMaximumOutput, carriedOutput))
  }

  /// The preset in a file, with a ceiling that the samples can carry.
  func preset(at path: String) throws(CommandFailure) -> Preset {
    try Self.preset(at: path, maximumOutput, carriedOutput)
  }

  private static func preset(
    at path: String, _ maximumOutput: Double?, _ carriedOutput: Double
  ) throws(CommandFailure) -> Preset {
    let preset = try Preset(argument: path)
    do {
      return try preset.replacingMaximumOutput { min(maximumOutput ?? $0, carriedOutput) }
    } catch {
      throw .badData(place: path, reason: error.description)
    }
  }
}
