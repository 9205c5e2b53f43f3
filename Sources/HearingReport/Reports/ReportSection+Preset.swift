package import HearingFitting

extension ReportSection {
  /// The frequencies of the table rows, in Hz.
  static let frequencies = Array(PlottedValues.frequencies.dropFirst())

  /// The section that shows the gain of the preset as a function of frequency, in a picture and in
  /// a table.
  ///
  /// The table marks frequencies outside the measured range, and frequencies at which a limit
  /// changed a gain.
  static func gain(_ preset: Preset, profile: HearingProfile?) -> ReportSection {
    let title = "What the processing adds"
    guard preset.left != nil || preset.right != nil else {
      return ReportSection(
        title: title,
        blocks: [.paragraph("Nothing. No ear was measured, so there is no gain.")])
    }
    return ReportSection(
      title: title,
      blocks: [
        .paragraph(
          "Gain makes a sound louder: 10 dB of gain sounds about twice as loud. Soft and loud sounds "
            + "can get different gains. The levels 50, 65 and 80 dB SPL below are levels within one "
            + "narrow band of frequencies, not levels of a whole voice. Conversation of 65 dB SPL has "
            + "about 60 dB SPL in the band at 500 Hz, but only about 42 dB SPL at 4000 Hz: high tones "
            + "of average speech get the gain of soft sounds."),
        .picture(
          InsertionGainPicture(preset).svg,
          caption: "Gain over frequency for each ear. The levels are levels in a narrow band."),
        .table(gains(of: preset, profile: profile)),
      ])
  }

  private static func gains(of preset: Preset, profile: HearingProfile?) -> ReportTable {
    let isExtrapolated = { (frequency: Double) in
      Ear.allCases.contains { profile?[$0]?.measuredRange.contains(frequency) == false }
    }
    let limitedGains = Ear.allCases.flatMap { preset[$0]?.limitedGains ?? [] }
    let isLimited = { (frequency: Double) in
      limitedGains.contains { $0.frequency == frequency && $0.limit != .expansion }
    }
    var caption =
      "Insertion gain in dB for 50, 65 and 80 dB SPL in the band, limited by the maximum output; –: not "
      + "measured, no gain"
    if frequencies.contains(where: isExtrapolated) {
      caption += "; (e): outside the measured frequencies, extrapolated"
    }
    if frequencies.contains(where: isLimited) { caption += "; (l): changed by a limit" }
    return ReportTable(
      caption: caption,
      corner: "Frequency",
      groups: Ear.clinicalOrder.map { ear in
        (ear.title, PlottedValues.inputLevelTitles.map { "\($0) dB SPL" })
      },
      rows: frequencies.map { frequency in
        let title =
          "\(frequency.readable()) Hz" + (isExtrapolated(frequency) ? " (e)" : "")
          + (isLimited(frequency) ? " (l)" : "")
        let cells = Ear.clinicalOrder.flatMap { ear in
          preset[ear]?.plottedGains(at: frequency).map { $0.tabular() } ?? ["–", "–", "–"]
        }
        return (title, cells)
      })
  }

  /// The section with the output level as a function of the input level. Nil if the preset is nil
  /// for both ears.
  static func loudness(_ preset: Preset) -> ReportSection? {
    let ears = Ear.allCases.compactMap { preset[$0] }
    guard !ears.isEmpty else { return nil }
    return ReportSection(
      title: "Soft and loud sounds",
      blocks: [
        .paragraph(
          ears.contains(where: \.isLevelDependent)
            ? "With a hearing loss, soft sounds become inaudible, while loud sounds stay as loud as "
              + "before. Compression therefore gives soft sounds more gain than loud ones. Below "
              + "the level of soft speech, expansion reduces the gain again, so that a quiet room "
              + "stays quiet."
            : "This setting is linear: soft and loud sounds get the same gain, up to the maximum "
              + "output."),
        .picture(
          InputOutputPicture(preset).svg,
          caption: "Output level over input level in six frequency bands. A curve above the dashed "
            + "diagonal makes sounds louder. The dotted line is the maximum of the band."),
      ])
  }

  /// The section about the rule, the maximum output, the limits and the assumptions of the fitting.
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

  /// One sentence about the limits of the gains, or an empty array if the preset has no limits.
  private static func limits(of preset: Preset) -> [String] {
    guard let limits = preset.limits else { return [] }
    let parts = [
      limits.holdsUnmeasuredGain
        ? "the gain does not rise outside the measured frequencies" : nil,
      limits.expansionSpeechLevel.map {
        "the gain falls below the level of speech at \($0.readable()) dB SPL"
      },
      limits.maximumRatio.map {
        "the compression ratio is at most \($0.readable()), up to an output of 100 dB SPL"
      },
      limits.maximumGain.map { "the gain is at most \($0.readable()) dB" },
      limits.discomfortMargin.map {
        "the maximum output of each band is \($0.readable()) dB below discomfort, as measured or "
          + "as usual for the threshold (Pascoe 1988)"
      },
    ].compactMap(\.self)
    return parts.isEmpty ? [] : ["Limits: \(parts.joined(separator: "; "))."]
  }

  /// One sentence that compares the maximum output in a coupler with the legal limit, or an empty
  /// array if the preset is nil for both ears.
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

  /// Sentences about the thresholds that the fitting assumes at frequencies without a response.
  /// There is one sentence for each ear with assumed thresholds.
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
