/// A rule that prescribes insertion gain from hearing thresholds.
///
///     let gain = PrescriptionRule.nalR.insertionGain(for: .n3, at: 1000, inputLevel: 65)  // 19.65
///     let preset = try PrescriptionRule.camfitCompressive.preset(for: profile)
///     PrescriptionRule(name: "fig6")     // .fig6
///
/// Files contain the ``name`` of a rule instead of the equation of the rule. Later versions of the
/// package may add rules, so an app must handle unknown names.
///
/// All rules assume an adult with a sensorineural loss. The rules prescribe initial gains, which a
/// listener or a professional adjusts later. The package does not contain licensed procedures
/// (NAL-NL1, NAL-NL2, DSL m[i/o]).
///
/// A rule is not a preset. A preset also contains the attack and release times and the maximum
/// output. A preset may also contain limits, and an expansion for very soft sounds. To create a
/// preset from a rule, use ``preset(for:maximumOutput:attackTime:releaseTime:limits:)``.
public struct PrescriptionRule: Sendable, Hashable, CustomStringConvertible {
  /// The name, such as "nal-r", in lower case and with hyphens between the words.
  public let name: String

  /// The version number, which increases when the gains of the rule change. Every preset that the
  /// rule creates stores the version.
  ///
  /// When a stored preset is read, the gains are not calculated again. An app can compare the
  /// stored version with the version of the rule to find presets that need a new fitting. From one
  /// release of the package to the next release, the version may increase by more than 1.
  public let version: Int

  /// The kind of input level that ``insertionGain(for:at:inputLevel:)`` expects. Linear rules
  /// ignore the input level. For linear rules, this property is ``LevelReference/band``.
  public private(set) var levelReference = LevelReference.band

  /// The default attack time in seconds of presets that the rule creates.
  private(set) var attackTime = EarPreset.defaultAttackTime
  /// The default release time in seconds of presets that the rule creates.
  private(set) var releaseTime = EarPreset.defaultReleaseTime
  let equation: Equation

  enum Equation: Sendable {
    case linear(LinearEquation)
    case levelDependent(LevelDependentEquation)
  }

  /// Creates a linear rule. The gain of a linear rule does not depend on the input level (see
  /// ``LinearEquation``).
  static func linear(
    name: String, version: Int, tableFrequencies: [Double] = [], kinkLosses: [Double] = [],
    gain: @escaping @Sendable (Audiogram) -> (_ frequency: Double) -> Double
  ) -> PrescriptionRule {
    let equation = LinearEquation(
      tableFrequencies: tableFrequencies, kinkLosses: kinkLosses, gain: gain)
    return PrescriptionRule(name: name, version: version, equation: .linear(equation))
  }

  /// All rules of this version of the package.
  public static let all: [PrescriptionRule] = [
    halfGain, pogo, pogoII, nalR, nalRP, fig6, camfitLinear, camfitCompressive, comfortableSpeech,
    comfortableMusic,
  ]

  /// Whether the gain depends on the input level. The gain of a linear rule does not depend on the
  /// level.
  public var isLevelDependent: Bool { if case .levelDependent = equation { true } else { false } }

  /// The gain in dB that the rule prescribes. The gain is never negative. The gain does not include
  /// the limits or the expansion of a preset.
  ///
  /// - Parameters:
  ///   - audiogram: The thresholds of one ear.
  ///   - frequency: The frequency in Hz, above 0.
  ///   - inputLevel: The input level in dB SPL. ``levelReference`` defines the kind of level. The
  ///     level may be infinite, but not NaN. Linear rules ignore the level.
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

  /// Two rules are equal if their names and versions are equal.
  public static func == (a: PrescriptionRule, b: PrescriptionRule) -> Bool {
    a.name == b.name && a.version == b.version
  }

  /// Adds the name and the version to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(version)
  }

  /// The name of the rule.
  public var description: String { name }
}

extension PrescriptionRule {
  /// The rule with this exact ``name``; nil if the name is unknown.
  public init?(name: String) {
    guard let rule = Self.all.first(where: { $0.name == name }) else { return nil }
    self = rule
  }
}

/// The kind of input level that a prescription rule uses.
public enum LevelReference: String, Sendable, Hashable, Codable {
  /// The level in the band around the frequency, in dB SPL.
  case band
  /// The overall level of speech, in dB SPL.
  case overall
}

/// The equation of a linear rule. The gain does not depend on the input level.
///
/// The method ``frequencies(for:)`` returns a list of frequencies. The gains at these frequencies
/// describe the gain of the rule exactly. Between two neighbouring frequencies of the list, the
/// gain is linear in the logarithm of frequency. The list contains the audiometric frequencies, the
/// frequencies of the audiogram, and the `tableFrequencies`. The list also contains each frequency
/// at which the interpolated hearing loss equals one of the `kinkLosses`.
struct LinearEquation: Sendable {
  /// The frequencies of the rule's tables, in Hz.
  let tableFrequencies: [Double]
  /// The hearing losses in dB HL at which the slope of the gain changes.
  let kinkLosses: [Double]
  /// For an audiogram, the gain in dB as a function of frequency in Hz. The gain may be negative.
  let gain: @Sendable (_ audiogram: Audiogram) -> (_ frequency: Double) -> Double

  /// The frequencies in Hz at which the slope of the gain may change. Between two neighbouring
  /// frequencies of the result, the gain is linear in the logarithm of frequency.
  func frequencies(for audiogram: Audiogram) -> [Double] {
    var frequencies =
      PrescriptionBands.centers + tableFrequencies + audiogram.points.map { $0.frequency }
    for loss in kinkLosses {
      frequencies += audiogram.table.crossings(of: loss).map { $0.roundedToMillionth }
    }
    return Set(frequencies).sorted()
  }
}

/// The equation of a level-dependent rule. The gain depends on the input level.
struct LevelDependentEquation: Sendable {
  /// The range of the input levels of a preset: 0 to 120 dB SPL in the band. Below 0 dB SPL and
  /// above 120 dB SPL, the gain is constant.
  static let presetLevelRange: ClosedRange<Double> = 0...120

  /// The gain in dB at a frequency in Hz and an input level in dB SPL; never negative.
  var gain: @Sendable (_ audiogram: Audiogram, _ frequency: Double, _ inputLevel: Double) -> Double
  /// The gain of a preset in dB for one of the ``PrescriptionBands``, as a function of the level in
  /// the band in dB SPL. If the rule adds an expansion to a preset, the gain includes this
  /// expansion. The curve has a point at each level where the slope changes.
  var bandCurve: @Sendable (_ audiogram: Audiogram, _ band: Int) -> PiecewiseLine
}
