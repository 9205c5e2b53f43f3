import HearingFitting

extension ReportSection {
  /// The section that shows the audiogram, in a picture and in a table.
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
    return ReportSection(title: "What you hear", blocks: blocks + thresholds(of: profile))
  }

  /// The table of the thresholds, if there are any.
  private static func thresholds(of profile: HearingProfile) -> [ReportBlock] {
    guard !profile.frequencies.isEmpty else { return [] }
    let table = ReportTable(
      caption: "Hearing thresholds in dB HL: the softest tone that was heard",
      corner: "Frequency",
      columns: Ear.clinicalOrder.map(\.title),
      rows: profile.frequencies.map { frequency in
        let thresholds = Ear.clinicalOrder.map { ear in
          let point = profile[ear]?.points.first { $0.frequency == frequency }
          return point.map(threshold) ?? "not measured"
        }
        return ("\(frequency.readable(places: 2)) Hz", thresholds)
      })
    return [.table(table)]
  }

  private static func threshold(_ point: Audiogram.Point) -> String {
    point.threshold.readable() + point.notes + (point.isClamped ? ", limited" : "")
  }
}
