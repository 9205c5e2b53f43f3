/// Limits that make the presets of level-dependent rules suitable for everyday use.
///
///     let fitting = Fitting.techLevel(3)                   // uses .standard
///     var published = Fitting.techLevel(3).using(.camfitCompressive)
///     published.limits = .none                             // the rule as published
///
/// A rule is only an equation. Without limits, a rule prescribes gain even at frequencies that were
/// not measured, and amplifies the noise of a quiet room. The compression ratio of a rule may be
/// unlimited. The limits change only the preset, never
/// ``PrescriptionRule/insertionGain(for:at:inputLevel:)``. For a linear rule, the limits change
/// only the maximum output. The preset records the limits, and the gains that the limits changed
/// (``EarPreset/limitedGains``).
public struct FittingLimits: Sendable, Equatable {
  /// Whether the gain is limited outside the measured frequencies. The limit is the gain in the
  /// nearest measured band. Both gains are compared at the same distance from the level of speech
  /// in their bands.
  public private(set) var holdsUnmeasuredGain = true
  /// The overall level of speech in dB SPL, 20 to 65, that defines the expansion knee; nil if the
  /// limits add no expansion.
  ///
  /// The expansion knee of a band is the level that speech with this overall level has in the band.
  /// At input levels below the knee, the gain is reduced. At 8 kHz, the knee is 13 dB higher,
  /// because this band has no upper edge and contains more noise than speech.
  public private(set) var expansionSpeechLevel: Double? = 45
  /// The slope of the gain below the expansion knee, 0.5 to 10. If the input level falls by 1 dB,
  /// the gain falls by this number of dB.
  public private(set) var expansionSlope = 3.0
  /// The maximum compression ratio, 1 to 10, at output levels below 100 dB SPL. Nil means no
  /// maximum.
  public private(set) var maximumRatio: Double? = 3
  /// The maximum gain in dB, within ``EarPreset/gainRange``. Nil means no maximum.
  public private(set) var maximumGain: Double? = 55
  /// The minimum distance in dB, 0 to 20, from the maximum output of each band up to the discomfort
  /// level (``Audiogram/discomfortLevel(at:measured:)``). Nil if the maximum output does not depend
  /// on the listener's hearing. A linear preset has maximum outputs of the bands only if discomfort
  /// levels of the ear were measured. Otherwise, only the ceiling limits a linear preset.
  ///
  /// If the margin is not nil, no band of a level-dependent preset exceeds the limit of 21 CFR
  /// 800.30 in a 2 cm³ coupler. The ceiling of the ear (``EarPreset/maximumOutput``) is then at
  /// most ``peakAllowance`` above the mean of the maximum outputs at 500 Hz, 1, 2 and 4 kHz.
  public private(set) var discomfortMargin: Double? = 5

  /// The maximum difference between the ceiling of an ear (``EarPreset/maximumOutput``) and the
  /// mean of the maximum outputs at 500 Hz, 1, 2 and 4 kHz: 6 dB.
  ///
  /// The maximum outputs of the bands apply to sounds longer than the attack time. The ceiling
  /// limits every sample. The ceiling is higher than the maximum outputs, because the peaks of
  /// speech are 10 dB or more above the peaks of a tone of the same level.
  public static let peakAllowance = 6.0

  /// The default limits. Outside the measured frequencies, the gain is at most the gain in the
  /// nearest measured band. Below the level that speech at 45 dB SPL has in a band, the gain falls
  /// by 3 dB per dB. The compression ratio is at most 3, the gain is at most 55 dB, and the maximum
  /// output of each band is at least 5 dB below the discomfort level.
  ///
  /// With speech at 50 dB SPL as the expansion knee, the intelligibility of soft speech (HASPI) is
  /// 0.10 lower.
  public static let standard = FittingLimits()

  /// No limits: the preset follows the rule as published.
  public static let none = {
    var limits = standard
    limits.holdsUnmeasuredGain = false
    (limits.expansionSpeechLevel, limits.expansionSlope) = (nil, 2)
    (limits.maximumRatio, limits.maximumGain, limits.discomfortMargin) = (nil, nil, nil)
    return limits
  }()

  private init() {}

  /// Creates limits with the given values. The defaults are the values of ``standard``.
  ///
  /// - Throws: ``Invalid``, which contains the name of the invalid limit.
  public init(
    holdsUnmeasuredGain: Bool = true, expansionSpeechLevel: Double? = 45,
    expansionSlope: Double = 3, maximumRatio: Double? = 3, maximumGain: Double? = 55,
    discomfortMargin: Double? = 5
  ) throws(Invalid) {
    try Invalid.check(expansionSpeechLevel, in: 20...65, at: "expansionSpeechLevel")
    try Invalid.check(expansionSlope, in: 0.5...10, at: "expansionSlope")
    try Invalid.check(maximumRatio, in: 1...10, at: "maximumRatio")
    try Invalid.check(maximumGain, in: EarPreset.gainRange, at: "maximumGain")
    try Invalid.check(discomfortMargin, in: 0...20, at: "discomfortMargin")
    self.holdsUnmeasuredGain = holdsUnmeasuredGain
    self.expansionSpeechLevel = expansionSpeechLevel
    self.expansionSlope = expansionSlope
    self.maximumRatio = maximumRatio
    self.maximumGain = maximumGain
    self.discomfortMargin = discomfortMargin
  }

  /// The same limits, adapted to music: a compression ratio of at most 1.5, and an expansion of at
  /// most 2 dB per dB, so that musical notes can fade out.
  var forMusic: FittingLimits {
    var limits = self
    limits.expansionSlope = min(expansionSlope, 2)
    limits.maximumRatio = min(maximumRatio ?? 1.5, 1.5)
    return limits
  }

  /// The error for a limit that is not finite or not within its range.
  public typealias Invalid = InvalidValue
}
