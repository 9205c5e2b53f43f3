import ExampleSupport
import HearingProcessing

/// The listener's hearing profile, and the way in which presets for the listener are created.
struct LiveListener: Sendable {
  /// The hearing profile; nil if the option `--audiogram` is missing.
  let profile: HearingProfile?
  /// The origin of the first preset.
  let origin: PresetOrigin
  private let givenMaximumOutput: Double?

  /// The way in which a preset is created.
  enum PresetOrigin: Sendable {
    /// There is no preset.
    case none
    /// The preset was read from a file. The maximum output of the command line, if there is one,
    /// replaces the maximum output in the file.
    case given(Preset)
    /// A prescription rule computes the preset from the profile. If nil, the default rule is used.
    case prescribed(PrescriptionRule?)
  }

  init(_ options: LiveOptions) throws(CommandFailure) {
    givenMaximumOutput = options.maximumOutput
    profile = try options.audiogram.map { (name) throws(CommandFailure) in
      try HearingProfile(argument: name)
    }
    if let path = options.presetPath {
      origin = .given(try Self.preset(at: path, givenMaximumOutput))
    } else {
      origin = profile == nil ? .none : .prescribed(options.rule)
    }
  }

  /// Whether there is a listener. Without a listener, the sound is not processed.
  var isKnown: Bool {
    if case .none = origin { false } else { true }
  }

  /// The highest maximum output in dB SPL that a preset can have.
  var maximumOutput: Double {
    givenMaximumOutput ?? EarPreset.maximumOutputLimit(isLevelDependent: true)
  }

  /// A fitting with gains that depend on frequency and input level (tech level 3). Its maximum
  /// output is at most `limit` dB SPL. If `rule` is nil, the default rule is used.
  func fitting(_ rule: PrescriptionRule?, limit: Double) -> Fitting {
    let legalLimit = EarPreset.maximumOutputLimit(
      isLevelDependent: rule?.isLevelDependent ?? true)
    let limit = limit.isFinite ? min(limit, legalLimit) : nil
    return Fitting(
      techLevel: 3, rule: rule,
      maximumOutput: givenMaximumOutput.map { min($0, limit ?? $0) } ?? limit)
  }

  /// Reads a preset from a file. The maximum output of the command line, if there is one, replaces
  /// the maximum output in the file.
  func preset(at path: String) throws(CommandFailure) -> Preset {
    try Self.preset(at: path, givenMaximumOutput)
  }

  private static func preset(
    at path: String, _ maximumOutput: Double?
  ) throws(CommandFailure) -> Preset {
    let preset = try Preset(argument: path)
    do {
      return try preset.replacingMaximumOutput { maximumOutput ?? $0 }
    } catch {
      throw .badData(input: path, reason: error.description)
    }
  }
}
