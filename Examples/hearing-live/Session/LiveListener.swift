import ExampleSupport
import HearingProcessing

/// The listener, and the way in which presets for the listener are created.
struct LiveListener: Sendable {
  /// Nil without a listener, or with a preset.
  let profile: HearingProfile?
  /// The origin of the first preset.
  let origin: PresetOrigin
  private let givenMaximumOutput: Double?

  /// The origin of a preset.
  enum PresetOrigin: Sendable {
    /// There is no preset.
    case none
    /// A file, with the maximum output of the command line.
    case given(Preset)
    /// The profile and a rule; nil: the rule of tech level 3.
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

  /// Whether there is a listener to process the sound for.
  var isKnown: Bool {
    if case .none = origin { false } else { true }
  }

  /// The maximum output in dB SPL that a preset can have.
  var maximumOutput: Double {
    givenMaximumOutput ?? EarPreset.maximumOutputLimit(isLevelDependent: true)
  }

  /// A fitting of tech level 3 with a maximum output of at most `limit` dB SPL. `rule` replaces the
  /// rule of the tech level.
  func fitting(_ rule: PrescriptionRule?, limit: Double) -> Fitting {
    let limit = limit.isFinite ? limit : nil
    return Fitting(
      techLevel: 3, rule: rule,
      maximumOutput: givenMaximumOutput.map { min($0, limit ?? $0) } ?? limit)
  }

  /// The preset in a file, with the maximum output of the command line.
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
      throw .badData(place: path, reason: error.description)
    }
  }
}
