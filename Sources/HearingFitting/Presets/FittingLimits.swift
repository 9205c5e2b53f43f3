/// Limits on gain and output that make the presets of level-dependent rules suitable for everyday
/// use.
///
///     let fitting = Fitting.techLevel(3)                   // uses .standard
///     var published = Fitting.techLevel(3).using(.camfitCompressive)
///     published.limits = .none                             // the rule as published
///
/// A rule is only an equation. Without limits, a rule prescribes gain even at frequencies that were
/// not measured, and amplifies the noise of a quiet room. The compression ratio of a rule may be
/// unlimited. The limits change only the preset, never
/// ``PrescriptionRule/insertionGain(for:at:inputLevel:)``. For a linear rule, the limits change
/// only the maximum output. The preset contains the limits, and a list of the gains that the limits
/// changed (``EarPreset/limitedGains``).
public struct FittingLimits: Sendable, Equatable {
  /// Whether the gain in unmeasured bands is limited to the gain in the nearest measured band. An
  /// unmeasured band is outside the frequency range of the audiogram. For the comparison, the gain
  /// curve of the nearest measured band is shifted by the difference between the levels of speech
  /// in the two bands.
  public private(set) var holdsUnmeasuredGain = true
  /// The overall level of speech that defines the expansion knee, from 20 to 65 dB SPL; nil if the
  /// limits add no expansion.
  ///
  /// The expansion knee of a band is the level in the band for speech with the overall level
  /// `expansionSpeechLevel`. At input levels below the knee, the gain is reduced. The band at 8 kHz
  /// has no upper edge and contains more noise than speech. Therefore the knee in the band at 8 kHz
  /// is 13 dB higher than in this definition.
  public private(set) var expansionSpeechLevel: Double? = 45
  /// The slope of the gain below the expansion knee, from 0.5 to 10 dB per dB. If the input level
  /// falls by 1 dB, the gain falls by `expansionSlope` dB.
  public private(set) var expansionSlope = 3.0
  /// The maximum compression ratio at output levels below 100 dB SPL, from 1 to 10. Nil means no
  /// maximum.
  ///
  /// An unmeasured band is outside the frequency range of the audiogram. In such a band, the ratio
  /// may exceed the maximum if ``holdsUnmeasuredGain`` limits the gain. The gain curve of the
  /// unmeasured band is then a shifted copy of the gain curve of a measured band. The copy includes
  /// the gains for output levels above 100 dB SPL, to which the maximum does not apply.
  ///
  /// If a variant of the preset has more gain than the rule prescribes, the ratio may exceed the
  /// maximum for sounds above the level of average speech.
  public private(set) var maximumRatio: Double? = 3
  /// The maximum gain in dB, within ``EarPreset/gainRange``. Nil means no maximum.
  public private(set) var maximumGain: Double? = 55
  /// The minimum difference between the discomfort level and the maximum output of a band, from 0
  /// to 20 dB. The discomfort level is ``Audiogram/discomfortLevel(at:measured:)``. If the margin
  /// is nil, the maximum output does not depend on the listener's hearing. A linear preset has
  /// maximum outputs of the bands only if discomfort levels of the ear were measured. Without
  /// measured discomfort levels, a linear preset has only a maximum output for the whole ear.
  ///
  /// A discomfort margin that is not nil also has two other effects. The maximum output of a band
  /// never exceeds the limit of 21 CFR 800.30 in a 2 cm³ coupler. The ceiling of the ear
  /// (``EarPreset/maximumOutput``) is at most 6 dB (``peakAllowance``) above the mean of the
  /// maximum outputs at 500 Hz, 1, 2 and 4 kHz.
  public private(set) var discomfortMargin: Double? = 5

  /// The maximum difference between the ceiling of an ear (``EarPreset/maximumOutput``) and the
  /// mean of the maximum outputs of four bands: 6 dB. The four bands are at 500 Hz, 1, 2 and 4 kHz.
  ///
  /// The maximum outputs of the bands apply to sounds longer than the attack time. The ceiling
  /// limits every sample. The peaks of speech are 10 dB or more above the peaks of a tone of the
  /// same level. Therefore the ceiling is higher than the maximum outputs of the bands.
  public static let peakAllowance = 6.0

  /// The default limits. Outside the measured frequencies, the gain is at most the gain in the
  /// nearest measured band. The expansion knee is the level in the band for speech with an overall
  /// level of 45 dB SPL. Below the knee, the gain falls by 3 dB if the input level falls by 1 dB.
  /// The compression ratio is at most 3, and the gain is at most 55 dB. The maximum output of each
  /// band is at least 5 dB below the discomfort level.
  ///
  /// HASPI predicts the intelligibility of speech on a scale from 0 to 1. For soft speech, HASPI is
  /// 0.10 lower if the expansion knee corresponds to speech at 50 dB SPL instead of 45 dB SPL.
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

  /// A copy of the limits, adapted to music. The maximum compression ratio is at most 1.5. With a
  /// steep slope, musical notes could not fade out. Therefore the expansion slope is at most 2.
  var forMusic: FittingLimits {
    var limits = self
    limits.expansionSlope = min(expansionSlope, 2)
    limits.maximumRatio = min(maximumRatio ?? 1.5, 1.5)
    return limits
  }

  /// The error for a limit that is not finite or not within its range.
  public typealias Invalid = InvalidValue
}
