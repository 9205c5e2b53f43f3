import HearingFitting

extension ReportSection {
  /// The section that describes how a profile was measured, and how reliable the measurement is.
  /// Nil if the profile has no measurement record.
  static func measurement(of profile: HearingProfile) -> ReportSection? {
    guard let record = profile.record else { return nil }
    var blocks = [ReportBlock.terms(facts(of: record))]
    let warnings = record.notes.map { Self.warnings[$0] ?? $0.rawValue }
    if !warnings.isEmpty { blocks.append(.advice(warnings)) }
    blocks.append(
      .picture(
        UncertaintyPicture(profile, record: record).svg,
        caption: "The true threshold lies within the bar in 9 of 10 cases. Where a bar is long, "
          + "the test is uncertain: take it again, or have it measured by a professional."))
    blocks.append(.list(limits))
    return ReportSection(title: "How it was measured", blocks: blocks)
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

  /// The descriptions of the methods.
  private static let methods = [
    "bayesian": "All thresholds estimated together, the most informative tone next.",
    "hughson-westlake":
      "Ascending method (ISO 8253-1): three responses at one level of at most five ascents.",
    "modified-hughson-westlake":
      "Ascending method, shortened (ISO 8253-1, modified Hughson–Westlake): two responses at one "
      + "level of at most three ascents.",
  ]

  /// The warnings for the notes of a measurement.
  private static let warnings: [MeasurementRecord.Note: String] = [
    .falseAlarms:
      "The button was often pressed when there was no tone. Do not rely on this result; take the "
      + "test again.",
    .missedTones:
      "Clear tones were often missed. Do not rely on this result; take the test again, rested.",
    .repeats:
      "Answers at the end differ too much from those at the beginning. Do not rely on this result; take "
      + "the test again, rested.",
    .contradictions:
      "The answers contradict each other. Do not rely on this result; take the test again.",
    .noResponses:
      "No tone was heard at all. Check headphones and volume; if they work, see a professional.",
    .uncalibrated:
      "The headphone was not calibrated: the levels are nominal and can be wrong by 10 dB and "
      + "more.",
    .maskingMissing:
      "At some frequencies the other ear may have helped: the true thresholds may be worse. See "
      + "a professional.",
    .ambientNoise:
      "The room was too loud at times: soft thresholds may be better than shown.",
    .slowAnswers:
      "The answers came late; the test waited for them.",
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
