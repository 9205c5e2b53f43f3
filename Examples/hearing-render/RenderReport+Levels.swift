import HearingAudio
import HearingDSP
import HearingReport

extension RenderReport {
  /// Average, peak and crest before and after, and the limiter's work.
  var levels: ReportTable {
    ReportTable(
      caption: "Level in dB SPL: average (RMS) and peak (of the sine that is as high); crest: the "
        + "highest sample over the average, in dB (3 for a sine); what the limiter did to stay below "
        + "the maximum output",
      corner: "",
      columns: [
        .init("Average", group: "Before"), .init("Peak", group: "Before"),
        .init("Crest", group: "Before"), .init("Average", group: "After"),
        .init("Peak", group: "After"), .init("Crest", group: "After"),
        .init("Worked", group: "Limiter"), .init("At most", group: "Limiter"),
      ],
      rows: Self.ears.map { ear, channel in
        ReportTable.Row(
          Self.name(of: ear),
          levels(sound.input[channel]) + levels(sound.output[channel])
            + limiter(sound.levels.channels[channel]))
      })
  }

  private func levels(_ reading: LevelMeter.Reading) -> [String] {
    guard reading.rms > 0 else { return ["silent", "silent", "–"] }
    let fullScale = summary.loudness.fullScaleSPL
    return [
      decimals(reading.rmsDecibels + fullScale), decimals(reading.peakDecibels - 3.01 + fullScale),
      decimals(reading.peakDecibels - reading.rmsDecibels),
    ]
  }

  private func limiter(_ channel: BandLevels.Channel) -> [String] {
    guard channel.limitedFrameCount > 0, sound.progress.frameCount > 0 else {
      return ["never", "–"]
    }
    let share = Double(channel.limitedFrameCount) / Double(sound.progress.frameCount)
    return [
      decimals(share * 100, places: 2) + " % of the time",
      decimals(channel.greatestLimiterReduction) + " dB",
    ]
  }
}
