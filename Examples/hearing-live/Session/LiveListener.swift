import ExampleSupport
import HearingProcessing

/// Who is to hear the sound, and how presets for that listener are made.
struct LiveListener: Sendable {
  /// Nil: nobody has been named, or by a preset.
  let profile: HearingProfile?
  /// What is asked for to begin with.
  let wish: Wish
  private let wantedOutput: Double?

  /// Which preset is asked for.
  enum Wish: Sendable {
    case nothing
    /// One that was given, with the ceiling that was asked for.
    case given(Preset)
    /// One for the profile; without a rule by the level-dependent one.
    case prescribed(PrescriptionRule?)
  }

  init(_ options: LiveOptions) throws(CommandFailure) {
    wantedOutput = options.maximumOutput
    profile = try options.audiogram.map { (name) throws(CommandFailure) in
      try HearingProfile(argument: name)
    }
    if let path = options.presetPath {
      wish = .given(try Self.preset(at: path, wantedOutput))
    } else {
      wish = profile == nil ? .nothing : .prescribed(options.rule)
    }
  }

  /// Whether there is anybody to process the sound for.
  var isKnown: Bool {
    if case .nothing = wish { false } else { true }
  }

  /// The ceiling in dB SPL, unless a preset has one of its own.
  var maximumOutput: Double { wantedOutput ?? EarPreset.defaultMaximumOutput }

  /// A fitting for gains that depend on level, or by another rule, with a ceiling of at most
  /// `carriedOutput` dB SPL.
  func fitting(_ rule: PrescriptionRule?, below carriedOutput: Double) -> Fitting {
    Fitting(
      techLevel: 3, rule: rule,
      maximumOutput: min(maximumOutput, carriedOutput))
  }

  /// The preset in a file, with the ceiling that was asked for.
  func preset(at path: String) throws(CommandFailure) -> Preset {
    try Self.preset(at: path, wantedOutput)
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
