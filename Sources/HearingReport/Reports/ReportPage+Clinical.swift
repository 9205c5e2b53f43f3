public import Foundation
public import HearingFitting

extension ReportPage {
  /// A page for an audiologist about the fitting of a listener. The page begins with a summary for
  /// the patient's file. When printed, the summary needs one sheet of paper. The following sections
  /// show:
  ///
  /// - the record of the hearing test
  /// - a comparison of speech with thresholds and discomfort levels
  /// - the target gains
  /// - the audibility of speech
  /// - the rule, the limits and the assumptions of the fitting
  ///
  ///     let report = ReportPage.clinical(
  ///       profile: profile, preset: preset, device: "Headphone X, app 1.2")
  ///     try report.data.write(to: url)           // a file whose name ends in .html
  ///
  /// A profile does not contain the listener's name and date of birth. The fields for the name and
  /// the date of birth are blank, and must be filled in by hand. For a page for the listener, use
  /// ``fitting(profile:preset:estimatedEars:title:notes:)``.
  ///
  /// - Parameters:
  ///   - profile: The hearing profile of the listener.
  ///   - preset: The preset that was computed from the profile.
  ///   - date: The date of the fitting. The page shows the day of this date in UTC. To show the
  ///     local day of `now`, pass `now + TimeInterval(TimeZone.current.secondsFromGMT(for: now))`.
  ///     If `date` is nil, the field for the day is blank.
  ///   - device: The names of the headphone, the device and the software. If the text is empty, the
  ///     field for the device is blank.
  ///   - estimatedEars: The ears with estimated thresholds. If the value is nil, the method of the
  ///     profile determines the ears. For the method `.estimate`, both ears are estimated. For any
  ///     other method, no ear is estimated.
  ///   - notes: Sentences about the measurement, such as `ImportedProfile.notes`.
  public static func clinical(
    profile: HearingProfile, preset: Preset, date: Date? = nil, device: String = "",
    estimatedEars: Set<Ear>? = nil, notes: [String] = []
  ) -> ReportPage {
    let estimated = profile.estimatedEars(unless: estimatedEars)
    let tuned = preset.fineTuned
    var summary = ReportSection.clinicalSummary(
      of: profile, preset: tuned, date: date, device: device, estimatedEars: estimated)
    summary.endsSheet = true
    let sections: [ReportSection?] = [
      summary, .measurement(of: profile), .splogram(of: profile, preset: tuned),
      .targets(of: profile, preset: tuned), .intelligibility(of: profile, preset: tuned),
      .basis(of: preset),
    ]
    return ReportPage(
      title: "Fitting summary", introduction: measurement(of: profile, notes: notes),
      sections: sections.compactMap(\.self),
      footer:
        "Computed settings, not measured at the ear: verify with a probe microphone or a coupler.")
  }
}

extension ReportSection {
  /// The section on the first sheet of paper. The section contains the listener, the date, the
  /// device, the thresholds, the gains, the maximum output, and space for a signature.
  static func clinicalSummary(
    of profile: HearingProfile, preset: Preset, date: Date?, device: String,
    estimatedEars: Set<Ear>
  ) -> ReportSection {
    let fields: [ReportBlock.Term] = [
      ("Date of the fitting", date?.englishDay ?? ""), ("Device and headphone", device),
    ]
    let blanks = ["Name", "Date of birth"] + fields.filter(\.value.isEmpty).map(\.key)
    var facts = fields.filter { !$0.value.isEmpty }
    let rule = preset.rule.flatMap { RuleDescription(name: $0)?.title ?? $0 } ?? "none, set by hand"
    facts.append(("Rule", rule + (preset.program.map { ", program \($0.rawValue)" } ?? "")))
    let assessed = HearingAssessment(of: profile.assessable(estimatedEars: estimatedEars))
    let averages = Ear.clinicalOrder.map { ear in
      "\(ear.title.lowercased()) \(profile[ear]?.pureToneAverageText ?? "unknown")"
    }
    let grade = assessed.grade.map { "; \($0.title.lowercased()) (WHO, better ear)" } ?? ""
    facts.append(("Average at 0.5, 1, 2 and 4 kHz", averages.joined(separator: ", ") + grade))
    if let record = profile.record {
      let isCalibrated = !record.notes.contains(.uncalibrated)
      let answers = "answers \(record.isReliable ? "reliable" : "not reliable")"
      facts.append(("Self-test", answers + (isCalibrated ? "" : "; headphone not calibrated")))
    }
    let advice = profile.advice(estimatedEars: estimatedEars)
    return ReportSection(
      title: "For the patient's file",
      blocks: [.form(blanks), .terms(facts)] + (advice.isEmpty ? [] : [.advice(advice)])
        + [.tables(Ear.clinicalOrder.compactMap { summaryTable(of: $0, profile, preset) })]
        + [.paragraph(summaryNote), .form(["Date, signature"])])
  }

  private static let summaryNote =
    "Threshold and measured discomfort level (UCL) in dB HL; >: above this level (no response); m: masked; l: "
    + "limited to this value; *: between or beyond measured frequencies. Insertion gain in dB for 50, 65 "
    + "and 80 dB SPL in the band, limited by the maximum output; maximum output in dB SPL in a free field."

  /// The table of one ear. The table has a row for each of the ``frequencies``, and for each other
  /// frequency that was measured.
  private static func summaryTable(
    of ear: Ear, _ profile: HearingProfile, _ preset: Preset
  ) -> ReportTable? {
    guard let gains = preset[ear] else { return nil }
    let discomfort = profile.discomfort(ear)
    let measured = Ear.allCases.flatMap { profile.discomfort($0)?.points.map(\.frequency) ?? [] }
    return ReportTable(
      caption: ear.title,
      corner: "Hz",
      groups: [
        (nil, ["dB HL"] + (discomfort == nil ? [] : ["UCL"])),
        ("Gain at", PlottedValues.inputLevelTitles), (nil, ["Max."]),
      ],
      rows: Set(frequencies + profile.frequencies + measured).sorted().map { frequency in
        let threshold = profile[ear].map {
          $0.measured(at: frequency)
            ?? ($0.isUnanswered(at: frequency) ? "> " : "")
            + $0.threshold(at: frequency).tabular(places: 0) + " *"
        }
        let output = gains.largestOutput(at: frequency, in: .freeField)
        let levels = (gains.plottedGains(at: frequency) + [output]).map { $0.tabular(places: 0) }
        return (
          frequency.readable(places: 2),
          [threshold ?? "–"] + (discomfort.map { [$0.measured(at: frequency) ?? "–"] } ?? [])
            + levels
        )
      })
  }

  /// The section that compares the levels of speech with thresholds, discomfort levels and maximum
  /// outputs.
  static func splogram(of profile: HearingProfile, preset: Preset) -> ReportSection {
    let speech = SpeechAudibility.thirdOctaves()
    let frequencies = speech.map(\.frequency)
    var discomfort = SpectrumPicture.Curve(name: "Discomfort", style: .limit)
    var maximum = SpectrumPicture.Curve(name: "Maximum output", style: .maximum)
    var processed = SpectrumPicture.Curve(name: "Speech, processed", style: .result)
    var unprocessed = SpectrumPicture.Curve(name: "Speech", style: .reference)
    var threshold = SpectrumPicture.Curve(name: "Threshold", style: .threshold)
    for ear in Ear.clinicalOrder {
      guard let audiogram = profile[ear] else { continue }
      threshold.levels[ear] = frequencies.map {
        audiogram.isUnanswered(at: $0) || !audiogram.measuredRange.contains($0)
          ? .infinity
          : audiogram.threshold(at: $0) + LevelPlane.freeField.referenceThreshold(at: $0)
      }
      discomfort.levels[ear] = frequencies.map {
        audiogram.discomfortLevel(at: $0, measured: profile.discomfort(ear))
      }
      unprocessed.levels[ear] = speech.map(\.level)
      guard let gains = preset[ear] else { continue }
      processed.levels[ear] = SpeechAudibility.thirdOctaves(through: gains).map(\.level)
      maximum.levels[ear] = frequencies.map { gains.largestOutput(at: $0, in: .freeField) }
    }
    let picture = SpectrumPicture(
      frequencies: frequencies, curves: [discomfort, maximum, processed, unprocessed, threshold],
      depth: 120, title: "SPLogram")
    return ReportSection(
      title: "Speech, threshold and discomfort",
      blocks: [
        .picture(
          picture.svg,
          caption: "Average speech of 65 dB SPL in third-octaves, with the gain for its long-term "
            + "level; measured thresholds, maximum output of the band, and discomfort as measured or "
            + "usual for the threshold (Pascoe 1988). dB SPL in a free field, at the head.")
      ])
  }

  /// The section with the gain of the rule, the gain of the preset, and the compression ratio.
  static func targets(of profile: HearingProfile, preset: Preset) -> ReportSection {
    let ears = Ear.clinicalOrder.compactMap { preset[$0] }
    let assumes = ears.contains { !$0.assumedThresholds.isEmpty }
    // Some rules use overall levels, but the input levels of a preset are levels in a band. The
    // target is therefore read from a preset of the rule.
    let target = preset.rule.flatMap(PrescriptionRule.init(name:)).flatMap { rule in
      rule.version == preset.ruleVersion ?? rule.version
        ? try? rule.preset(for: profile, variant: .default, assumesThresholds: assumes) : nil
    }
    let tables = Ear.clinicalOrder.compactMap { ear -> ReportTable? in
      guard profile[ear] != nil, let gains = preset[ear] else { return nil }
      return ReportTable(
        caption:
          "\(ear.title): gain in dB by the rule and in the preset; compression ratio, 50 to 80 dB",
        corner: "Hz",
        groups: [
          ("Target", PlottedValues.inputLevelTitles), ("Preset", PlottedValues.inputLevelTitles),
          (nil, ["Ratio"]),
        ],
        rows: frequencies.map { frequency in
          let targets = PlottedValues.inputLevels.map { level in
            target?[ear]?.gain(at: frequency, inputLevel: level).tabular(places: 0) ?? "–"
          }
          let cells = targets + gains.plottedGains(at: frequency).map { $0.tabular(places: 0) }
          // The compression ratio must not include the effect of the maximum output. Therefore the
          // ratio is computed from the gains without the maximum output.
          let gain = { gains.gain(at: frequency, inputLevel: $0) }
          let outputRange = 30 + gain(80) - gain(50)
          return (frequency.readable(), cells + [(30 / max(outputRange, 1)).tabular()])
        })
    }
    return ReportSection(
      title: "Target and preset",
      blocks: tables.isEmpty
        ? [.paragraph("There is no ear with an audiogram and a preset.")]
        : [
          .tables(tables),
          .paragraph(
            target == nil
              ? "There is no target: the gains were set without a rule that this software knows."
              : targetNote(preset, assumesThresholds: assumes)),
        ])
  }

  /// A text that explains the target gains. The text also explains why the gains of the preset may
  /// differ from the target gains.
  private static func targetNote(_ preset: Preset, assumesThresholds: Bool) -> String {
    let isBroadband = Ear.allCases.contains { preset[$0]?.frequencies.count == 1 }
    return "Target: the gain of the rule, at most 60 dB, for the level in the band, without limits "
      + "and fine tuning\(assumesThresholds ? "; no response: for the assumed threshold" : ""). "
      + (isBroadband
        ? "The preset has one gain for all frequencies, the mean of the targets at 0.5, 1, 2 and 4 kHz, "
          + "with the fine tuning."
        : "Where both differ, \(preset.limits == nil ? "" : "a limit (see the list below), ")the maximum "
          + "output or the fine tuning changed the gain.")
  }

  /// The section with the Speech Intelligibility Index at several levels. Nil if no ear has an
  /// audiogram.
  static func intelligibility(of profile: HearingProfile, preset: Preset) -> ReportSection? {
    let ears = Ear.clinicalOrder.filter { profile[$0] != nil }
    guard !ears.isEmpty else { return nil }
    let conditions: [(name: String, level: Double, signalToNoise: Double?)] =
      PlottedValues.inputLevels.map { ("\($0.readable()) dB SPL, quiet", $0, nil) }
      + [("65 dB SPL, noise 5 dB softer", 65, 5), ("65 dB SPL, noise as loud", 65, 0)]
    let table = ReportTable(
      caption: "Speech Intelligibility Index in percent (ANSI S3.5-1997), without and with the "
        + "preset; the noise has the spectrum of speech",
      corner: "Speech",
      groups: ears.map { ($0.title, ["Without", "With"]) },
      rows: conditions.map { name, level, signalToNoise in
        let indices = ears.flatMap { ear in
          [nil, preset[ear]].compactMap {
            profile[ear]?.speechIntelligibilityIndex(
              through: $0, speechLevel: level, signalToNoise: signalToNoise)
          }
        }
        return (name, indices.map { (100 * $0).tabular(places: 0) })
      })
    return ReportSection(title: "Audibility of speech", blocks: [.table(table)])
  }
}
