package import HearingFitting

extension ReportSection {
  /// The section that describes the basis of the fitting, and the facts that the fitting does not
  /// consider.
  static func basis(of preset: Preset) -> ReportSection {
    ReportSection(
      title: "Basis and limits of this fitting",
      blocks: [
        .list(
          [
            source(of: preset),
            "The rule assumes a sensorineural hearing loss (one of the inner ear) in an adult. For a "
              + "conductive loss, for children, and after ear surgery, see a professional.",
            "All sound levels on this page are nominal, in dB SPL in a free field at the listener's "
              + "head unless another place is named. The real level at the ear depends on the "
              + "headphones and their position.",
            maximumOutput(of: preset),
          ] + couplerOutput(of: preset) + limits(of: preset) + assumptions(of: preset)),
        .terms(["Identity of the setting": preset.id]),
      ])
  }

  private static func source(of preset: Preset) -> String {
    guard let name = preset.rule else {
      return "The gains were set by hand, without a rule."
    }
    let version = preset.ruleVersion.map { ", version \($0)" } ?? ""
    guard let description = RuleDescription(name: name) else {
      return "Rule: \(name)\(version). Its source is unknown to this version of the software."
    }
    return "Rule: \(description.title) (\(name)\(version)). Source: \(description.source)."
  }

  /// Sentences about the limits of the gains.
  private static func limits(of preset: Preset) -> [String] {
    guard let limits = preset.limits else { return [] }
    let parts = [
      limits.holdsUnmeasuredGain
        ? "the gain does not rise outside the measured frequencies" : nil,
      limits.expansionSpeechLevel.map {
        "the gain falls below the level of speech at \($0.readable()) dB SPL"
      },
      limits.maximumRatio.map { "the compression ratio is at most \($0.readable())" },
      limits.maximumGain.map { "the gain is at most \($0.readable()) dB" },
      limits.discomfortMargin.map {
        "the maximum output of each band is \($0.readable()) dB below discomfort, as measured or "
          + "as usual for the threshold (Pascoe 1988)"
      },
    ].compactMap(\.self)
    return parts.isEmpty ? [] : ["Limits: \(parts.joined(separator: "; "))."]
  }

  /// Sentences about the maximum output in the coupler and the legal limit.
  package static func couplerOutput(of preset: Preset) -> [String] {
    let ears = Ear.clinicalOrder.compactMap { ear in
      preset[ear].map { gains in
        let (level, frequency) = gains.largestCouplerOutput
        let limit = EarPreset.maximumOutputLimit(isLevelDependent: gains.isLevelDependent)
        return "\(ear.title.lowercased()) \(level.readable()) dB SPL near "
          + "\((10 * (frequency / 10).rounded()).readable()) Hz, limit \(limit.readable())"
          + (level > limit + 0.05 ? ": above it" : "")
      }
    }
    guard !ears.isEmpty else { return [] }
    return [
      "Largest output for a steady tone, converted to a \(LevelPlane.coupler.title) (ISO 389-2), "
        + "beside the limit for hearing aids without prescription (21 CFR 800.30): "
        + "\(ears.joined(separator: "; "))."
    ]
  }

  /// Sentences about the thresholds that were assumed, one for each ear.
  private static func assumptions(of preset: Preset) -> [String] {
    Ear.clinicalOrder.compactMap { ear in
      guard let thresholds = preset[ear]?.assumedThresholds, !thresholds.isEmpty else { return nil }
      let values = thresholds.map {
        "\($0.assumed.readable()) dB HL at \($0.frequency.readable(places: 2)) Hz (tested up to "
          + "\($0.tested.readable()))"
      }
      return "\(ear.title), no response: the fitting assumes a threshold of "
        + "\(values.joined(separator: ", ")). The true loss can be greater."
    }
  }

  private static func maximumOutput(of preset: Preset) -> String {
    let ears = Ear.clinicalOrder.compactMap { ear in
      preset[ear].map { "\(ear.title.lowercased()) \($0.maximumOutput.readable()) dB SPL" }
    }
    guard !ears.isEmpty else { return "Maximum output: none, because no ear was measured." }
    return "Maximum output: \(ears.joined(separator: ", ")). Sound below this level can also "
      + "damage hearing if it lasts for hours: take breaks, and turn the volume down if it is "
      + "uncomfortable."
  }
}
