import HearingFitting

extension ReportSection {
  private static let frequencies: [Double] = [
    250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000,
  ]

  /// The preset's gain over frequency, as a picture and as a table.
  static func gain(_ preset: Preset) -> ReportSection {
    guard isAnyEarKnown(in: preset) else { return .noGain }
    return ReportSection(
      title: "What the processing adds",
      blocks: [
        .paragraph(
          "The gain is by how much a sound is made louder, at each frequency: 10 dB sound about "
            + "twice as loud. Soft sounds (50 dB SPL, a quiet voice), average sounds (65 dB SPL, "
            + "conversation) and loud sounds (80 dB SPL, a voice "
            + "raised close by) may get different gains."),
        .picture(
          InsertionGainPicture(preset).svg,
          caption: "Gain over frequency for each ear. The level is that of a sound within a narrow "
            + "band of frequencies."),
        .table(gains(of: preset)),
      ])
  }

  private static func gains(of preset: Preset) -> ReportTable {
    let levels = InsertionGainPicture.inputLevels
    return ReportTable(
      caption: "Insertion gain in dB for sounds of 50, 65 and 80 dB SPL; –: not measured, no gain",
      corner: "Frequency",
      columns: Ear.clinicalOrder.flatMap { ear in
        levels.map { ReportTable.Column("\($0.readable()) dB SPL", group: ear.title) }
      },
      rows: frequencies.map { frequency in
        ReportTable.Row(
          "\(frequency.readable()) Hz",
          Ear.clinicalOrder.flatMap { ear in
            levels.map { level in
              preset[ear]?.gain(at: frequency, inputLevel: level).tabular() ?? "–"
            }
          })
      })
  }

  /// The preset's output over input; nil where neither ear is known.
  static func loudness(_ preset: Preset) -> ReportSection? {
    guard isAnyEarKnown(in: preset) else { return nil }
    let isLevelDependent = Ear.allCases.contains { preset[$0]?.isLevelDependent ?? false }
    return ReportSection(
      title: "Soft and loud sounds",
      blocks: [
        .paragraph(
          isLevelDependent
            ? "Where hearing is impaired, soft sounds vanish while loud ones are as loud as ever. "
              + "So soft sounds are raised more than loud ones (compression). Below the level of "
              + "soft speech the gain falls again, so that silence stays silent (expansion)."
            : "This setting is linear: soft and loud sounds get the same gain, up to the maximum "
              + "output."),
        .picture(
          InputOutputPicture(preset).svg,
          caption: "What comes out over what goes in, in six bands of frequencies. A curve above "
            + "the broken diagonal makes sounds louder; the dotted line is the maximum output."),
      ])
  }

  private static var noGain: ReportSection {
    ReportSection(
      title: "What the processing adds",
      blocks: [.paragraph("Nothing: no ear was measured, so there is no gain.")])
  }

  private static func isAnyEarKnown(in preset: Preset) -> Bool {
    Ear.allCases.contains { preset[$0] != nil }
  }
}
