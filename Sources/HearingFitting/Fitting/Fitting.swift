/// The settings for the calculation of a preset from a listener's hearing. The main settings are
/// the features of the processing system, the prescription rule and the limits.
///
///     let preset = try Fitting.techLevel(3).preset(for: profile)
///     let linear = try Fitting.techLevel(2).using(.nalR).preset(for: profile)
///
/// | tech level | what the processing system supports | default rule |
/// |---|---|---|
/// | 1 | one gain per ear, the same at all frequencies and levels | the mean gain of NAL-R at 500 Hz, 1, 2 and 4 kHz |
/// | 2 | a gain per frequency, the same at all levels | NAL-RP |
/// | 3 | a gain per frequency and level | comfortable speech, or comfortable music for ``Program/music`` |
///
/// The ``limits`` apply to every preset. For a linear rule, the ``limits`` change only the maximum
/// output, not the gains. A preset for music needs separate gains for different frequencies, so
/// tech level 1 does not support music. If a level-dependent rule is used for music, the release
/// time is at least 1 s and the compression ratio is at most 1.5.
///
/// If the listener did not respond at a frequency, the assumed threshold is 5 dB above the maximum
/// tested level (see ``AssumedThreshold``).
///
/// ``techLevel`` may be any number. If ``techLevel`` is not one of the ``knownTechLevels``,
/// ``preset(for:)`` throws an error. To create a preset from a rule without a tech level, use
/// ``PrescriptionRule/preset(for:maximumOutput:attackTime:releaseTime:limits:)``.
public struct Fitting: Sendable, Equatable {
  /// The tech level, a number for the features of the processing system. The known tech levels are
  /// 1 to 3.
  public var techLevel: Int
  /// A note about the processing system. The note has no effect on presets.
  public var additionalInfo: String?
  /// The prescription rule. Nil means the default rule of the tech level.
  public var rule: PrescriptionRule?
  /// The maximum output of the processing system in dB SPL; nil if the system has no limit.
  ///
  /// By default, the listener's discomfort level and the legal limit also limit the output (see
  /// ``FittingLimits/discomfortMargin``). If both `maximumOutput` and the discomfort margin are
  /// nil, ``EarPreset/defaultMaximumOutput`` limits the output.
  public var maximumOutput: Double?
  /// The listening program, such as speech or music.
  public var program: Program
  /// The limits that are applied to the gains of the rule and to the output.
  public var limits: FittingLimits

  /// The tech levels for which presets can be created: 1 to 3.
  public static let knownTechLevels = 1...3

  /// Creates a fitting for a tech level. If `rule` is nil, the default rule of the tech level is
  /// used. `maximumOutput` is in dB SPL.
  public init(
    techLevel: Int, additionalInfo: String? = nil, rule: PrescriptionRule? = nil,
    maximumOutput: Double? = nil, program: Program = .speech,
    limits: FittingLimits = .standard
  ) {
    self.program = program
    self.limits = limits
    self.techLevel = techLevel
    self.additionalInfo = additionalInfo
    self.rule = rule
    self.maximumOutput = maximumOutput
  }

  /// Creates a fitting for a tech level, with the default rule of that level.
  public static func techLevel(_ level: Int, additionalInfo: String? = nil) -> Fitting {
    Fitting(techLevel: level, additionalInfo: additionalInfo)
  }

  /// Returns a copy of this fitting with another rule.
  public func using(_ rule: PrescriptionRule) -> Fitting {
    var fitting = self
    fitting.rule = rule
    return fitting
  }

  /// The minimum release time of level-dependent presets for music, in seconds.
  private static let minimumMusicReleaseTime = 1.0

  /// Creates the preset for a listener. If the hearing of an ear is unknown, the preset contains no
  /// gains for this ear.
  ///
  /// ``EarPreset/assumedThresholds`` lists the thresholds that were assumed at points without a
  /// response.
  ///
  /// - Throws: ``FittingError`` if the tech level is unknown, or does not support the rule or the
  ///   program. Also throws a ``FittingError`` if the maximum output is out of range.
  public func preset(for profile: HearingProfile) throws(FittingError) -> Preset {
    try preset(for: profile, variant: .default)
  }

  /// Creates a variant of the preset for a listener, with more or less gain.
  package func preset(
    for profile: HearingProfile, variant: PresetVariant
  ) throws(FittingError) -> Preset {
    let rule = try supportedRule()
    let isMusic = program == .music && rule.isLevelDependent
    do {
      return try rule.preset(
        for: profile, variant: variant, maximumOutput: maximumOutput,
        releaseTime: isMusic ? max(rule.releaseTime, Self.minimumMusicReleaseTime) : nil,
        limits: isMusic ? limits.forMusic : limits, program: program, isBroadband: techLevel == 1,
        assumesThresholds: true)
    } catch { throw .preset(error) }
  }

  /// The rule of this fitting; if ``rule`` is nil, the default rule of the tech level. Throws an
  /// error if the tech level does not support the rule or the program.
  private func supportedRule() throws(FittingError) -> PrescriptionRule {
    let usual: PrescriptionRule
    switch techLevel {
    case 1:
      guard program != .music else { throw .musicNeedsBands(techLevel: techLevel) }
      usual = .nalR
    case 2: usual = .nalRP
    case 3: usual = program == .music ? .comfortableMusic : .comfortableSpeech
    default: throw .unknownTechLevel(techLevel)
    }
    let rule = rule ?? usual
    guard techLevel == 3 || !rule.isLevelDependent else {
      throw .ruleNeedsLevels(rule: rule, techLevel: techLevel)
    }
    return rule
  }
}
