import HearingFitting

extension ReportSection {
  /// The frequencies of the table rows, in Hz.
  static let frequencies = Array(PlottedValues.frequencies.dropFirst())

  /// The section that shows the gain of the preset as a function of frequency, in a picture and in
  /// a table.
  ///
  /// The table marks gains at frequencies outside the measured range, and gains that a limit
  /// changed.
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
          "Gain makes a sound louder: 10 dB of gain sounds about twice as loud. Soft sounds "
            + "(50 dB SPL, a quiet voice), average sounds (65 dB SPL, conversation) and loud sounds "
            + "(80 dB SPL, a raised voice close by) can get different gains."),
        .picture(
          InsertionGainPicture(preset).svg,
          caption: "Gain over frequency for each ear. The levels are those in a narrow band of "
            + "frequencies."),
        .table(gains(of: preset, profile: profile)),
      ])
  }

  private static func gains(of preset: Preset, profile: HearingProfile?) -> ReportTable {
    let isExtrapolated = { (frequency: Double) in
      Ear.allCases.contains { ear in
        guard let points = profile?[ear]?.points, let first = points.first, let last = points.last
        else { return false }
        return frequency < first.frequency || frequency > last.frequency
      }
    }
    let isLimited = { (frequency: Double) in
      Ear.allCases.contains { ear in
        preset[ear]?.limitedGains.contains {
          $0.frequency == frequency && $0.limit != .expansion
        } ?? false
      }
    }
    var caption =
      "Insertion gain in dB for sounds of 50, 65 and 80 dB SPL; –: not measured, no gain"
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

  /// The section that shows the output level as a function of the input level. Nil if neither ear
  /// is known.
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
            + "diagonal makes sounds louder. The dotted line is the maximum output."),
      ])
  }
}
