import Foundation
import HearingFitting
import HearingReport

extension DataSheet {
  /// The data sheet as an HTML page.
  var page: Data {
    let heading = shown.map(\.title)
    let figures = ReportTable(
      caption:
        "Measured figures beside the limits of 21 CFR 800.30 (hearing aids without prescription) and of "
        + "the preset",
      corner: "Figure", columns: heading + ["Limit"],
      rows: rows.map { row in
        (row.name, row.values + [row.limit.map { "\($0): \(row.verdict)" } ?? "–"])
      })
    return ReportPage(
      title: "Data sheet of a fitting",
      introduction:
        "\(listener), \(rule.map { "rule \($0)" } ?? "no rule"). Measured with test signals at "
        + "\(Int(sampleRate)) Hz through the processor that renders the sound.",
      sections: [
        ReportSection(
          title: "Figures",
          blocks: [.table(figures), .picture(picture, caption: Self.pictureCaption)]),
        ReportSection(
          title: "Output over frequency", blocks: [.table(responses)]),
        ReportSection(
          title: "Output over input",
          blocks: [.tables(shown.map { Self.inputOutput(of: $0.sheet, titled: $0.title) })]),
        ReportSection(title: "How it was measured", blocks: [.list(Self.conditions)]),
      ],
      footer:
        "The figures describe the signal processing alone. Microphone, headphone and ear change "
        + "them; they are to be measured with the finished device."
    ).data
  }

  private static let pictureCaption =
    "Output in a 2 cm³ coupler for tones of 60 and 90 dB SPL (OSPL90)."

  private var picture: SVGPicture {
    func levels(_ values: (EarSheet) -> [Double]) -> [Ear: [Double]] {
      Dictionary(
        uniqueKeysWithValues: ears.compactMap { sheet in
          Ear(rawValue: sheet.ear).map { ($0, values(sheet)) }
        })
    }
    return SpectrumPicture(
      frequencies: DataSheetMeasurement.frequencies,
      before: levels { $0.couplerGainAt60.map { $0 + 60 } }, after: levels(\.couplerOutputAt90),
      names: ("60 dB SPL in", "90 dB SPL in"), title: "Output for tones"
    ).svg
  }

  private var responses: ReportTable {
    // The table shows every second tone, so its tones are a third of an octave apart.
    let thirds = stride(from: 2, to: DataSheetMeasurement.frequencies.count, by: 2)
    return ReportTable(
      caption:
        "Tones: insertion gain in dB at 50 and 60 dB SPL; output at 90 dB SPL in a free field and in "
        + "a 2 cm³ coupler",
      corner: "Hz",
      groups: shown.map { title, _ in
        (title, ["Gain, 50", "Gain, 60", "OSPL90", "OSPL90, coupler"])
      },
      rows: thirds.map { index in
        (
          Self.number(DataSheetMeasurement.frequencies[index], 0),
          shown.flatMap { _, sheet in
            [
              sheet.gainAt50[index], sheet.gainAt60[index], sheet.outputAt90[index],
              sheet.couplerOutputAt90[index],
            ].map { Self.number($0) }
          }
        )
      })
  }

  private static func inputOutput(of sheet: EarSheet, titled title: String) -> ReportTable {
    ReportTable(
      caption: "\(title): output in dB SPL for steady tones, free field", corner: "Hz",
      groups: [
        ("Input in dB SPL", (sheet.inputOutput.first?.inputs ?? []).map { number($0, 0) })
      ],
      rows: sheet.inputOutput.map { curve in
        (number(curve.frequency, 0), curve.outputs.map { number($0) })
      })
  }

  private static let conditions = [
    "Input levels are those at the listener's head in a free field. Levels in a 2 cm³ coupler are "
      + "converted with the reference thresholds of ISO 389-7 and ISO 389-2; no coupler was used.",
    "Tones are measured one second after their onset, a sixth of an octave apart. HFA is the mean at "
      + "1000, 1600 and 2500 Hz (here 1587 and 2520).",
    "The limit of the preset is the maximum output of its bands, in a free field. A tone below "
      + "the lowest band can pass it, because the band measures less than the tone's level.",
    "There is no volume control: full-on gain and reference test gain are those of the fitting. The "
      + "reference test gain is the smaller of HFA-OSPL90 − 77 dB and the HFA gain at 60 dB SPL.",
    "Bandwidth: where the coupler gain at 60 dB SPL is at most 20 dB below its HFA. A fitting that adds "
      + "nothing to low tones can miss 250 Hz here, although they pass unchanged.",
    "Smoothness: a third-octave of pink noise (65 dB SPL, twelve tones in an octave) against the mean of "
      + "those two thirds of an octave above and below.",
    "Attack and release: the time until the level of a 2 kHz tone stays within 3 and 4 dB of its final "
      + "value. The attack includes the recovery of the output limiter, which catches the onset before the "
      + "compressor has lowered the gain.",
    "Equivalent input noise: the noise of the processing less the full-on gain. A microphone's noise is "
      + "not part of it.",
    "Assumed, because the full text of ANSI S3.22 and CTA-2051 could not be read: the setting for the "
      + "reference test gain, the level of the noise for smoothness, the tolerances of attack and "
      + "release.",
  ]
}
