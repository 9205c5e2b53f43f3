/// A rule that prescribes insertion gain from hearing thresholds.
///
///     let gain = PrescriptionRule.nalR.insertionGain(for: .n3, at: 1000, inputLevel: 65)  // 19.65
///     let preset = try PrescriptionRule.camfitCompressive.preset(for: profile)
///     PrescriptionRule(name: "fig6")     // .fig6
///
/// An open set: later versions may add rules, so handle unknown ones. In files a rule is stored as
/// its ``name``.
///
/// All rules assume a sensorineural loss in an adult, and prescribe a starting point, which a
/// listener or a professional refines. A rule is not a preset: it has no limits, no attack and
/// release times and no expansion of very soft sounds (see
/// ``preset(for:variant:maximumOutput:attackTime:releaseTime:limits:)``). Licensed procedures
/// (NAL-NL1, NAL-NL2, DSL m[i/o]) are not among the rules.
public struct PrescriptionRule: Sendable {
  /// The name, such as "nal-r": lower case, words joined by hyphens.
  public let name: String

  /// Increases when the gains of the rule change; stored in every preset that it makes.
  ///
  /// It identifies the gains of a preset, for instance to find listeners who need a new fitting. A
  /// preset keeps its gains in every version; nothing is recalculated when it is read. The version
  /// also increases between releases.
  public let version: Int

  let equation: Equation

  enum Equation: Sendable {
    case linear(LinearEquation)
    case levelDependent(LevelDependentEquation)
  }

  init(name: String, version: Int, equation: Equation) {
    self.name = name
    self.version = version
    self.equation = equation
  }

  /// All rules of this version of the package.
  public static let all: [PrescriptionRule] = [
    halfGain, pogo, pogoII, nalR, nalRP, fig6, camfitLinear, camfitCompressive, comfortableSpeech,
    comfortableMusic,
  ]

  /// The rule with this exact ``name``; nil: unknown.
  public init?(name: String) {
    guard let rule = Self.all.first(where: { $0.name == name }) else { return nil }
    self = rule
  }

  /// Whether the gain depends on the input level; if not, the rule is linear.
  public var isLevelDependent: Bool {
    switch equation {
    case .linear: false
    case .levelDependent: true
    }
  }

  /// The meaning of the input level of ``insertionGain(for:at:inputLevel:)``;
  /// ``LevelReference/band`` for linear rules, which ignore the level.
  public var levelReference: LevelReference {
    switch equation {
    case .linear: .band
    case .levelDependent(let equation): equation.levelReference
    }
  }

  /// The gain in dB that the rule prescribes, at least 0, without the limits and the expansion of a
  /// preset.
  ///
  /// - Parameters:
  ///   - audiogram: The thresholds of one ear.
  ///   - frequency: In Hz, above 0.
  ///   - inputLevel: In dB SPL, with the meaning of ``levelReference``; may be infinite, not NaN.
  ///     Linear rules ignore it.
  public func insertionGain(
    for audiogram: Audiogram, at frequency: Double, inputLevel: Double
  ) -> Double {
    precondition(frequency > 0 && frequency.isFinite, "a frequency of \(frequency) Hz")
    precondition(!inputLevel.isNaN, "the input level is not a number")
    switch equation {
    case .linear(let equation):
      return max(0, equation.gain(audiogram)(frequency))
    case .levelDependent(let equation):
      return equation.gain(audiogram, frequency, inputLevel)
    }
  }
}

extension PrescriptionRule: Hashable {
  /// Rules are equal if their names and versions are equal.
  public static func == (a: PrescriptionRule, b: PrescriptionRule) -> Bool {
    a.name == b.name && a.version == b.version
  }

  /// Feeds name and version to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(version)
  }
}

extension PrescriptionRule: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

/// The meaning of the input level of a prescription rule.
public enum LevelReference: String, Sendable, Hashable {
  /// The level in the band around the frequency, in dB SPL.
  case band
  /// The overall level of speech, in dB SPL.
  case overall
}

/// A prescription whose gain does not depend on the input level.
///
/// The gain is linear on log frequency between the points of the audiogram, the `tableFrequencies`
/// and the frequencies where the hearing loss crosses one of the `kinkLosses`. Gains at these
/// frequencies therefore describe the prescription exactly.
struct LinearEquation: Sendable {
  /// The frequencies of the rule's tables, in Hz.
  var tableFrequencies: [Double] = []
  /// Hearing losses in dB HL where the slope of gain over loss changes.
  var kinkLosses: [Double] = []
  /// The gain in dB over frequency in Hz for an audiogram; may be negative.
  var gain: @Sendable (_ audiogram: Audiogram) -> (_ frequency: Double) -> Double

  /// The frequencies, in Hz, between which the gain is linear on log frequency.
  func frequencies(for audiogram: Audiogram) -> [Double] {
    var frequencies =
      PrescriptionBands.centers + tableFrequencies + audiogram.points.map { $0.frequency }
    for loss in kinkLosses {
      frequencies += audiogram.crossings(of: loss).map { $0.roundedToMillionth }
    }
    return Set(frequencies).sorted()
  }
}

/// A prescription whose gain depends on the input level.
struct LevelDependentEquation: Sendable {
  /// The input levels of a preset in dB SPL in the band; the gain is held outside them.
  static let presetLevelRange: ClosedRange<Double> = 0...120

  /// The meaning of the input level of `gain`.
  var levelReference: LevelReference
  /// The attack time of the rule's presets in seconds.
  var attackTime = EarPreset.defaultAttackTime
  /// The release time of the rule's presets in seconds.
  var releaseTime = EarPreset.compressiveReleaseTime
  /// The gain in dB at a frequency in Hz and an input level in dB SPL; never negative.
  var gain: @Sendable (_ audiogram: Audiogram, _ frequency: Double, _ inputLevel: Double) -> Double
  /// The gain of a preset in dB over the level in one of the ``PrescriptionBands``, in dB SPL, with
  /// a point at every kink and including the expansion that a preset adds.
  var bandCurve: @Sendable (_ audiogram: Audiogram, _ band: Int) -> PiecewiseLine
}
