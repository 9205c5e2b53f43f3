import HearingFitting

extension ReportSection {
  /// The section with the most important facts about the listener's hearing and with advice.
  static func summary(
    of profile: HearingProfile, estimatedEars: Set<Ear>, preset: Preset
  ) -> ReportSection {
    let assessment = HearingAssessment(of: profile.assessable(estimatedEars: estimatedEars))
    var facts: [ReportBlock.Term] = Ear.clinicalOrder.map { ear in
      let suffix = estimatedEars.contains(ear) ? " (estimate)" : ""
      return (ear.title, average(of: ear, in: profile) + suffix)
    }
    if let grade = assessment.grade {
      let oneSided = assessment.isUnilateral ? "; the loss is in one ear only" : ""
      let name = "Grade of hearing loss (World Health Organization, by the better ear)"
      facts.append((name, "\(grade.title): \(grade.meaning)\(oneSided)"))
    }
    if let program = preset.program {
      facts.append(("Program", program.rawValue))
    }
    let rule = preset.rule.map { name in
      RuleDescription(name: name).map { "\($0.title). \($0.aim)" } ?? name
    }
    facts.append(("Rule of the fitting", rule ?? "none; the gains were set by hand"))
    let advice = profile.advice(estimatedEars: estimatedEars)
    return ReportSection(
      title: "In short",
      blocks: [.terms(facts)] + (advice.isEmpty ? [] : [.advice(advice)]) + [.paragraph(nextSteps)])
  }

  private static let nextSteps =
    "What to do next: start in a quiet place at a low volume, and turn it up until speech is comfortable. "
    + "Soft sounds that you have not heard for long need some weeks to become familiar. If voices stay too "
    + "soft, too loud or too sharp, change the fine tuning or let a professional check the fitting. Measure "
    + "your hearing again in a year, or sooner if it changes."

  private static func average(of ear: Ear, in profile: HearingProfile) -> String {
    guard let audiogram = profile[ear] else { return "not measured" }
    return audiogram.pureToneAverageText.map { "\($0), average at 0.5, 1, 2 and 4 kHz" }
      ?? "no average, because 0.5, 1, 2 and 4 kHz were not all measured"
  }

  /// The section that shows the audiogram in a picture and, if there are thresholds, in a table.
  static func hearing(
    _ profile: HearingProfile, estimatedEars: Set<Ear>
  ) -> ReportSection {
    let blocks: [ReportBlock] = [
      .paragraph(
        "An audiogram shows the softest tones that you can hear: low tones on the left, high "
          + "tones on the right, as on a piano. The lower a point is, the louder the tone had to "
          + "be."),
      .picture(
        AudiogramPicture(profile, estimatedEars: estimatedEars).svg,
        caption: "Circles and the solid line: right ear. Crosses and the dashed line: left ear. "
          + "The shaded bands are the grades of hearing loss of the World Health Organization."),
    ]
    let table = ReportTable(
      caption: "Hearing thresholds in dB HL: the softest tone that was heard",
      corner: "Frequency",
      columns: Ear.clinicalOrder.map(\.title),
      rows: profile.frequencies.map { frequency in
        let thresholds = Ear.clinicalOrder.map { ear in
          let point = profile[ear]?.points.first { $0.frequency == frequency }
          return point.map {
            $0.threshold.readable() + $0.notes + ($0.isClamped ? ", limited" : "")
          } ?? "not measured"
        }
        return ("\(frequency.readable(places: 2)) Hz", thresholds)
      })
    return ReportSection(
      title: "What you hear", blocks: blocks + (profile.frequencies.isEmpty ? [] : [.table(table)]))
  }

  /// The section that compares the audibility of average speech before and after processing. Nil if
  /// no ear has both an audiogram and a preset.
  static func audibility(of profile: HearingProfile, preset: Preset) -> ReportSection? {
    let indices = Ear.clinicalOrder.compactMap { ear -> AudibilityPicture.Index? in
      guard let audiogram = profile[ear], let gains = preset[ear] else { return nil }
      let after = audiogram.speechIntelligibilityIndex(through: gains)
      return (ear, audiogram.speechIntelligibilityIndex(), after)
    }
    guard !indices.isEmpty else { return nil }
    let numbers = indices.map {
      "\($0.ear.title): \(AudibilityPicture.percent($0.before)) without and "
        + "\(AudibilityPicture.percent($0.after)) with processing."
    }
    return ReportSection(
      title: "How much of speech you can hear",
      blocks: [
        .paragraph(
          "This is the share of average speech (65 dB SPL, in a quiet room) that is audible. "
            + numbers.joined(separator: " ")),
        .picture(
          AudibilityPicture(indices: indices).svg,
          caption: "Speech Intelligibility Index (ANSI S3.5-1997). It is not the share of words "
            + "that you understand. Most words are understood from about 50 % on."),
      ])
  }

  /// The section about the method and the reliability of the measurement. Nil if the profile has no
  /// measurement record.
  static func measurement(of profile: HearingProfile) -> ReportSection? {
    guard let record = profile.record else { return nil }
    let warnings = record.notes.map { Self.warnings[$0] ?? $0.rawValue }
    let picture = ReportBlock.picture(
      UncertaintyPicture(profile, record: record).svg,
      caption: "The true threshold lies within the bar in 9 of 10 cases. Where a bar is long, "
        + "the test is uncertain: take it again, or have it measured by a professional.")
    return ReportSection(
      title: "How it was measured",
      blocks: [.terms(facts(of: record))] + (warnings.isEmpty ? [] : [.advice(warnings)])
        + [picture, .list(limits)])
  }

  private static func facts(of record: MeasurementRecord) -> [ReportBlock.Term] {
    let repeats: [ReportBlock.Term] = record.repeats.map {
      let name = "\($0.ear.title), \($0.frequency.readable()) Hz, measured twice"
      let (first, second) = ($0.first.rounded().readable(), $0.second.rounded().readable())
      return (name, "\(first) and \(second) dB HL")
    }
    let reliability = record.isReliable ? "Yes: no check failed." : "No; see below."
    return [
      ("Method", methods[record.procedure] ?? record.procedure),
      ("Headphone", record.headphone.isEmpty ? "not known" : record.headphone),
      ("Tones", "\(record.toneCount)"),
      ("Presses in silence", "\(record.falseAlarmCount) in \(record.silenceCount) silences"),
    ] + repeats + [("Can the answers be relied on?", reliability)]
  }

  /// The description of each measurement method.
  private static let methods = [
    "bayesian": "All thresholds estimated together, the most informative tone next.",
    "hughson-westlake":
      "Ascending method (ISO 8253-1): three responses at one level of at most five ascents.",
    "modified-hughson-westlake":
      "Ascending method, shortened (ISO 8253-1, modified Hughson–Westlake): two responses at one "
      + "level of at most three ascents.",
  ]

  private static let again = "Do not rely on this result; take the test again"

  /// The warning to the listener for each kind of note in a measurement record.
  private static let warnings: [MeasurementRecord.Note: String] = [
    .falseAlarms: "The button was often pressed when there was no tone. \(again).",
    .missedTones: "Clear tones were often missed. \(again), rested.",
    .repeats:
      "Answers at the end differ too much from those at the beginning. \(again), rested.",
    .contradictions: "The answers contradict each other. \(again).",
    .noResponses:
      "No tone was heard at all. Check headphones and volume; if they work, see a professional.",
    .unfinished: "The test was not finished: thresholds are missing.",
    .uncalibrated:
      "The headphone was not calibrated: the levels are nominal and can be wrong by 10 dB and "
      + "more.",
    .maskingMissing:
      "At some frequencies the other ear may have helped: the true thresholds may be worse. See "
      + "a professional.",
    .ambientNoise:
      "The room was too loud at times: soft thresholds may be better than shown.",
    .slowAnswers: "The answers came late; the test waited for them.",
    .calibrationChange:
      "Volume or sound settings changed during the test: levels may be wrong.",
  ]

  private static let limits = [
    "The tones came by air conduction alone: a loss of the middle ear (conductive) cannot be told "
      + "from one of the inner ear.",
    "It does not replace an examination by a professional, who looks into the ears, tests bone "
      + "conduction and speech, and finds causes that can be treated.",
    "See a professional soon where hearing got worse within days, one ear is much worse than the "
      + "other, low tones are lost, or there is pain, discharge or dizziness.",
  ]
}
