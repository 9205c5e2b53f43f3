import HearingAudio
import HearingFitting
import HearingReport

extension RenderReport {
  static let gainNote =
    "Level: that of the moments in which the sound has its energy, as the processing heard it in "
    + "the band. Prescribed: the gain of the setting at that level. Achieved: by how much the sound "
    + "is stronger after than before, in a third of an octave around the frequency; –: there is no "
    + "sound to tell it by. Where soft sounds get more gain than loud ones, the gain moves with the "
    + "sound, and the two differ by some dB; so they do where the limiter worked, and where the "
    + "gain changes steeply from one frequency to the next."

  /// Achieved against prescribed in each of the processor's bands.
  var gains: ReportTable {
    let columns = Self.ears.map { ear, channel in
      gains(of: ear, channel: channel)
    }
    return ReportTable(
      caption: "Gain in dB, achieved against prescribed",
      corner: "Frequency",
      columns: Self.ears.flatMap { ear, _ in
        ["Level", "Prescribed", "Achieved"].map { .init($0, group: Self.name(of: ear)) }
      },
      rows: spectra.centers.enumerated().map { band, center in
        ReportTable.Row("\(Int(center)) Hz", columns.flatMap { $0[band] })
      })
  }

  /// How far, in dB, a band may lie below the loudest for its gain to be told from the sound.
  private static let audibleRange = 70.0

  /// For each band the cells of an ear.
  private func gains(of ear: Ear, channel: Int) -> [[String]] {
    let around = spectra.centers.map(ThirdOctaveSpectrum.Band.init(around:))
    let before = spectra.before.levels(in: around, channel: channel)
    let after = spectra.after.levels(in: around, channel: channel)
    let loudest = spectra.before.levels(channel: channel).max() ?? -.infinity
    return spectra.centers.enumerated().map { band, center in
      guard let level = spectra.moments.level(channel: channel, band: band),
        before[band] > loudest - Self.audibleRange
      else { return ["silent", "–", "–"] }
      let prescribed = summary.preset?[ear].map {
        $0.gain(at: center, inputLevel: level) * Double(summary.options.intensity)
      }
      return [
        decimals(level), prescribed.map { decimals($0) } ?? "unknown",
        decimals(after[band] - before[band]),
      ]
    }
  }
}
