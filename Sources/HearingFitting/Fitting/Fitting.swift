/// How a preset is to be made from a listener's hearing: what the processing system can do, and by
/// which rule.
///
///     let preset = try Fitting.techLevel(3).preset(for: profile)
///     let linear = try Fitting.techLevel(2).using(.nalR).preset(for: profile, variant: .down)
///
/// | level | what the system does | rule unless another is named |
/// |---|---|---|
/// | 1 | one gain per ear, the same at all frequencies and levels | NAL-R, its mean at 500 Hz, 1, 2 and 4 kHz |
/// | 2 | a gain per frequency, the same at all levels | NAL-RP |
/// | 3 | gains per frequency and level | CAMFIT compressive |
///
/// Any number may be given as a level and kept; whether it is known shows when a preset is made. To
/// make a preset by a rule without asking what a system can do, use
/// ``PrescriptionRule/preset(for:variant:maximumOutput:attackTime:releaseTime:)``.
public struct Fitting: Sendable, Equatable {
  /// What the processing system can do; known are ``knownTechLevels``.
  public var techLevel: Int
  /// Whatever else is to be kept about the processing system; it has no effect on presets.
  public var additionalInfo: String?
  /// The rule; nil: the level's own.
  public var rule: PrescriptionRule?
  /// The highest output of the system in dB SPL.
  public var maximumOutput: Double

  /// The levels that presets can be made for: 1 to 3.
  public static let knownTechLevels = 1...3

  /// A fitting for a level, by its own rule unless told otherwise; `maximumOutput` in dB SPL.
  public init(
    techLevel: Int, additionalInfo: String? = nil, rule: PrescriptionRule? = nil,
    maximumOutput: Double = EarPreset.defaultMaximumOutput
  ) {
    self.techLevel = techLevel
    self.additionalInfo = additionalInfo
    self.rule = rule
    self.maximumOutput = maximumOutput
  }

  /// A fitting for what the processing system can do.
  public static func techLevel(_ level: Int, additionalInfo: String? = nil) -> Fitting {
    Fitting(techLevel: level, additionalInfo: additionalInfo)
  }

  /// The same fitting by another rule.
  public func using(_ rule: PrescriptionRule) -> Fitting {
    var fitting = self
    fitting.rule = rule
    return fitting
  }
}
