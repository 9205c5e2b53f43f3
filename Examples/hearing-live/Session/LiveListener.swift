import ExampleSupport
import HearingProcessing

/// The listener, and how presets for the listener are created.
struct LiveListener: Sendable {
  /// The hearing profile; nil without a listener, or if a preset is given.
  let profile: HearingProfile?
  /// The origin of the first preset.
  let origin: PresetOrigin
  private let givenMaximumOutput: Double?

  /// The way in which a preset is created.
  enum PresetOrigin: Sendable {
    /// There is no preset.
    case none
    /// The preset was read from a file and has the maximum output of the command line.
    case given(Preset)
    /// The preset is prescribed from the profile by a rule; nil for the rule of tech level 3.
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

  /// A fitting of tech level 3. Its maximum output is at most `limit` dB SPL. If `rule` is not nil,
  /// it replaces the rule of the tech level.
  func fitting(_ rule: PrescriptionRule?, limit: Double) -> Fitting {
    let legalLimit = EarPreset.maximumOutputLimit(
      isLevelDependent: rule?.isLevelDependent ?? true)
    let limit = limit.isFinite ? min(limit, legalLimit) : nil
    return Fitting(
      techLevel: 3, rule: rule,
      maximumOutput: givenMaximumOutput.map { min($0, limit ?? $0) } ?? limit)
  }

  /// Reads a preset from a file. The maximum output of the command line replaces the preset's own.
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
