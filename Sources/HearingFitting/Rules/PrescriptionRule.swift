/// A rule that prescribes insertion gain from hearing thresholds.
///
///     let gain = PrescriptionRule.nalR.insertionGain(for: .n3, at: 1000, inputLevel: 65)  // 19.65
///     let preset = try PrescriptionRule.camfitCompressive.preset(for: profile)
///     PrescriptionRule(name: "fig6")     // .fig6
///
/// An open set: more rules may join in later versions, so compare with the ones you know and have
/// an answer for the rest. In files a rule is its ``name``.
///
/// All rules assume a sensorineural loss in an adult, and prescribe a starting point, which a
/// listener or a professional refines. A rule is not a preset: it knows nothing of limits, time
/// constants or what is done with very soft sounds (see ``preset(for:variant:maximumOutput:attackTime:releaseTime:)``).
/// Licensed procedures (NAL-NL1, NAL-NL2, DSL m[i/o]) are not among the rules.
public struct PrescriptionRule: Sendable {
  /// The name, such as "nal-r": lower case, words joined by hyphens.
  public let name: String

  /// Counts up when the gains of the rule change; part of every preset that it makes.
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
    halfGain, pogo, pogoII, nalR, nalRP, fig6, camfitLinear, camfitCompressive,
  ]

  /// The rule called `name`, exactly as ``name`` writes it; nil where there is none.
  public init?(name: String) {
    guard let rule = Self.all.first(where: { $0.name == name }) else { return nil }
    self = rule
  }

  /// Whether the gain depends on the input level; rules that do not are linear.
  public var isLevelDependent: Bool {
    switch equation {
    case .linear: false
    case .levelDependent: true
    }
  }

  /// What ``insertionGain(for:at:inputLevel:)`` takes the input level to be the level of. Linear
  /// rules answer ``LevelReference/band``, and do not care.
  public var levelReference: LevelReference {
    switch equation {
    case .linear: .band
    case .levelDependent(let equation): equation.levelReference
    }
  }

  /// The gain in dB that the rule prescribes, 0 or more, without a preset's limits and expansion.
  ///
  /// - Parameters:
  ///   - audiogram: The thresholds of one ear.
  ///   - frequency: In Hz, above 0.
  ///   - inputLevel: In dB SPL, of whatever ``levelReference`` says; may be infinite, not NaN.
  ///     Linear rules ignore it.
  public func insertionGain(
    for audiogram: Audiogram, at frequency: Double, inputLevel: Double
  ) -> Double {
    precondition(frequency > 0 && frequency.isFinite, "a frequency of \(frequency) Hz")
    precondition(!inputLevel.isNaN, "an input level that is not a number")
    switch equation {
    case .linear(let equation):
      return max(0, equation.gain(audiogram)(frequency))
    case .levelDependent(let equation):
      return equation.gain(audiogram, frequency, inputLevel)
    }
  }
}

extension PrescriptionRule: Hashable {
  /// Rules are equal when name and version are.
  public static func == (a: PrescriptionRule, b: PrescriptionRule) -> Bool {
    a.name == b.name && a.version == b.version
  }

  /// Feeds name and version to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(version)
  }
}

extension PrescriptionRule: Codable {
  /// Reads a rule's name; an unknown one is a `DecodingError` that lists the known ones.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let rule = PrescriptionRule(name: name) else {
      let known = Self.all.map(\.name).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "unknown rule \(name.inQuotationMarks); known are \(known)"
      )
    }
    self = rule
  }

  /// Writes the rule's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

extension PrescriptionRule: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}
