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
    let frequencies = Set(
      Ear.allCases.flatMap { profile[$0]?.points.map(\.frequency) ?? [] }
    ).sorted()
    guard !frequencies.isEmpty else { return [] }
    let points = Ear.clinicalOrder.map { ear in
      Dictionary(
        (profile[ear]?.points ?? []).map { ($0.frequency, $0) }, uniquingKeysWith: { $1 })
    }
    let table = ReportTable(
      caption: "Hearing thresholds in dB HL: the softest tone that was heard",
      corner: "Frequency",
      columns: Ear.clinicalOrder.map(\.title),
      rows: frequencies.map { frequency in
        (
          "\(frequency.readable(places: 2)) Hz",
          points.map { $0[frequency].map(threshold) ?? "not measured" }
        )
      })
    return [.table(table)]
  }

  private static func threshold(_ point: Audiogram.Point) -> String {
    var text = point.threshold.readable()
    if point.isMasked { text += ", masked" }
    if point.isNoResponse { text += ", no response" }
    if point.isClamped { text += ", limited" }
    return text
  }
}
