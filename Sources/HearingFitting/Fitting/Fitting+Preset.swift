extension Fitting {
  /// Why a fitting makes no preset.
  public enum Invalid: Error, Sendable, Equatable {
    /// The level is not one of ``Fitting/knownTechLevels``.
    case unknownTechLevel(Int)
    /// The rule's gain depends on the level of the sound, which a system of this level cannot
    /// follow.
    case ruleNeedsLevels(rule: PrescriptionRule, techLevel: Int)
    /// A value does not fit into a preset, such as the maximum output.
    case preset(EarPreset.Invalid)
  }

  /// The frequencies in Hz whose gains make the one gain of level 1.
  private static let broadbandFrequencies: [Double] = [500, 1000, 2000, 4000]

  /// The preset for a listener; an unknown ear gets none.
  ///
  /// - Throws: ``Invalid`` for a level that is not known, a rule that the level cannot carry out, or
  ///   a maximum output out of range.
  public func preset(
    for profile: HearingProfile, variant: PresetVariant = .default
  ) throws(Invalid) -> Preset {
    switch techLevel {
    case 1: try broadbandPreset(for: profile, by: linear(rule ?? .nalR), variant: variant)
    case 2: try preset(for: profile, by: linear(rule ?? .nalRP), variant: variant)
    case 3: try preset(for: profile, by: rule ?? .camfitCompressive, variant: variant)
    default: throw .unknownTechLevel(techLevel)
    }
  }

  private func linear(_ rule: PrescriptionRule) throws(Invalid) -> PrescriptionRule {
    guard !rule.isLevelDependent else {
      throw .ruleNeedsLevels(rule: rule, techLevel: techLevel)
    }
    return rule
  }

  private func preset(
    for profile: HearingProfile, by rule: PrescriptionRule, variant: PresetVariant
  ) throws(Invalid) -> Preset {
    do {
      return try rule.preset(for: profile, variant: variant, maximumOutput: maximumOutput)
    } catch {
      throw .preset(error)
    }
  }

  private func broadbandPreset(
    for profile: HearingProfile, by rule: PrescriptionRule, variant: PresetVariant
  ) throws(Invalid) -> Preset {
    var preset = Preset(left: nil, right: nil, rule: rule.name, ruleVersion: rule.version)
    do {
      try EarPreset.validate(maximumOutput: maximumOutput, isLevelDependent: false)
      for ear in Ear.allCases {
        guard let audiogram = profile[ear] else { continue }
        let gains = Self.broadbandFrequencies.map {
          rule.insertionGain(
            for: audiogram, at: $0, inputLevel: SpeechSpectrum.overallLevel)
        }
        let mean = gains.reduce(0, +) / Double(gains.count)
        preset[ear] = try EarPreset(
          frequencies: [1000],
          gains: [
            (mean * variant.gainFactor).limited(to: EarPreset.gainRange).roundedToMillionth
          ],
          maximumOutput: maximumOutput)
      }
    } catch {
      throw .preset(error)
    }
    return preset
  }
}

extension Fitting.Invalid: CustomStringConvertible {
  /// One line that names the level, the rule or the place.
  public var description: String {
    switch self {
    case .unknownTechLevel(let level):
      "tech level \(level) is not known; known are 1 to 3"
    case .ruleNeedsLevels(let rule, let level):
      "rule \(rule.name) depends on the level of the sound, which tech level \(level) "
        + "cannot follow; it needs tech level 3"
    case .preset(let reason):
      reason.description
    }
  }
}
