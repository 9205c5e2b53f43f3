import HearingFitting

extension ReportSection {
  /// The section that compares the audibility of average speech before and after processing. Nil if
  /// no known ear has a preset.
  static func audibility(of profile: HearingProfile, preset: Preset) -> ReportSection? {
    let indices = Ear.clinicalOrder.compactMap { ear -> AudibilityPicture.Index? in
      guard let audiogram = profile[ear], let gains = preset[ear] else { return nil }
      return AudibilityPicture.Index(
        ear: ear, before: audiogram.speechIntelligibilityIndex(),
        after: audiogram.speechIntelligibilityIndex(through: gains))
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
}
