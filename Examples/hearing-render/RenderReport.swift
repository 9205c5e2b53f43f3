import Foundation
import HearingAudio
import HearingDSP
import HearingFitting
import HearingReport

/// The HTML page about a rendering. It shows the fitting and its effect on the sound.
struct RenderReport {
  let summary: RenderSummary
  let sound: RenderSummary.Sound
  let spectra: RenderObservation.Spectra
  private let listener: RenderListener

  /// Creates the report from a summary that has spectra.
  init(_ summary: RenderSummary, _ listener: RenderListener) {
    guard let spectra = summary.sound.spectra else {
      preconditionFailure("the rendering measured no spectra")
    }
    self.summary = summary
    self.sound = summary.sound
    self.spectra = spectra
    self.listener = listener
  }

  /// The HTML page as UTF-8.
  var data: Data {
    let preset = summary.preset
    var report =
      listener.profile.map {
        ReportPage.fitting(profile: $0, preset: preset, notes: listener.notes)
      }
      ?? ReportPage.fitting(preset: preset)
    report.sections.insert(measured, at: min(1, report.sections.count))
    return report.data
  }

  private var measured: ReportSection {
    ReportSection(
      title: "The effect on the sound",
      blocks: [.paragraph(introduction)] + players + [
        .table(levels), .picture(picture, caption: Self.pictureCaption),
        .table(gains), .paragraph(Self.gainNote),
      ])
  }

  /// Players for the sound before and after processing, or a hint how to get these players.
  private var players: [ReportBlock] {
    guard let before = summary.options.comparisonPath else {
      return summary.playerHint.map { [.paragraph($0)] } ?? []
    }
    return [
      .comparison(
        ("Before", path: location(of: before)),
        ("After", path: location(of: summary.options.output)))
    ]
  }

  /// The URL for a link to a file. It is relative if the file is in the page's folder or in a
  /// subfolder.
  private func location(of path: String) -> String {
    let file = URL(fileURLWithPath: path).standardizedFileURL
    let folder =
      URL(fileURLWithPath: summary.options.reportPath ?? "")
      .standardizedFileURL.deletingLastPathComponent().path + "/"
    guard file.path.hasPrefix(folder) else { return file.absoluteString }
    let relative = String(file.path.dropFirst(folder.count))
    return relative.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? relative
  }

  private var introduction: String {
    let name = summary.options.input ?? "The embedded recording"
    var sentences = [
      "\(name), \(decimals(sound.seconds)) s, at \(summary.format.sampleRate) Hz.",
      "Full scale (RMS 1.0) is \(decimals(summary.fullScale.level)) dB SPL.",
    ]
    if let volume = summary.volume {
      sentences.append(
        "The file was attenuated by \(decimals(sound.scaling.attenuation)) dB so that no player clips "
          + "it. \(volume)")
    }
    if summary.options.isBypassed {
      sentences.append(
        "The processing was bypassed\(summary.options.leavesSoundUnchanged ? ": the sound is unchanged" : ""). "
          + "The other sections show the fitting.")
    } else if summary.options.intensity < 1 {
      let percent = Int((summary.options.intensity * 100).rounded())
      sentences.append(
        "\(percent) % of each prescribed gain in dB was applied. The other sections show the full gains."
      )
    }
    if let headphone = summary.options.headphonePath {
      sentences.append(
        "The headphone correction \(headphone) was applied. The band levels below are the levels after "
          + "the correction. The achieved gains contain the correction, but the prescribed gains do not."
      )
    }
    return sentences.joined(separator: " ")
  }

  /// The ears and their channels. The right ear is first, as is usual in audiometry.
  static let ears: [(ear: Ear, channel: Int)] = [(.right, 1), (.left, 0)]

  static func name(of ear: Ear) -> String {
    switch ear {
    case .left: "Left ear"
    case .right: "Right ear"
    }
  }

  func decimals(_ value: Double, places: Int = 1) -> String {
    let text = String(format: "%.\(places)f", value)
    let isZero = text.allSatisfy { "-0.".contains($0) }
    return isZero
      ? String(format: "%.\(places)f", 0.0) : text.replacingOccurrences(of: "-", with: "−")
  }

  /// RMS level, peak level and crest factor before and after processing, and the limiter's gain
  /// reduction.
  var levels: ReportTable {
    ReportTable(
      caption:
        "Level in dB SPL: RMS, and peak as the level of a sine with the same peak. Crest: the "
        + "highest sample relative to the RMS in dB (3 for a sine). Limiter: how often, and by how "
        + "much at most, it held the sound below the maximum output",
      corner: "",
      groups: [
        ("Before", ["RMS", "Peak", "Crest"]), ("After", ["RMS", "Peak", "Crest"]),
        ("Limiter", ["Active", "At most"]),
      ],
      rows: Self.ears.map { ear, channel in
        (
          Self.name(of: ear),
          levels(sound.input[channel]) + levels(sound.output[channel])
            + limiter(sound.levels.channels[channel])
        )
      })
  }

  private func levels(_ reading: LevelMeter.Reading) -> [String] {
    guard reading.rms > 0 else { return ["silent", "silent", "–"] }
    let fullScale = summary.fullScale.level
    return [
      decimals(reading.rmsDecibels + fullScale), decimals(reading.peakDecibels - 3.01 + fullScale),
      decimals(reading.peakDecibels - reading.rmsDecibels),
    ]
  }

  private func limiter(_ channel: BandLevels.Channel) -> [String] {
    guard channel.limitedFrameCount > 0, sound.progress.frameCount > 0 else {
      return ["never", "–"]
    }
    let fraction = Double(channel.limitedFrameCount) / Double(sound.progress.frameCount)
    return [
      decimals(fraction * 100, places: 2) + " % of the time",
      decimals(channel.greatestLimiterReduction) + " dB",
    ]
  }
}

extension RenderReport {
  static let pictureCaption =
    "The level of the whole sound in thirds of an octave, before and after. Where the curves differ, "
    + "the processing changed the sound."

  /// The spectra before and after processing.
  var picture: SVGPicture {
    // Below 50 Hz, recordings mostly contain rumble.
    let frequencies = spectra.before.frequencies
    let shown = frequencies.indices.filter { frequencies[$0] >= 50 }
    func levels(_ spectrum: ThirdOctaveSpectrum, _ channel: Int) -> [Double] {
      let levels = spectrum.levels(channel: channel)
      return shown.map { levels[$0] + summary.fullScale.level }
    }
    return SpectrumPicture(
      frequencies: shown.map { frequencies[$0] },
      before: Dictionary(
        uniqueKeysWithValues: Self.ears.map { ($0.ear, levels(spectra.before, $0.channel)) }),
      after: Dictionary(
        uniqueKeysWithValues: Self.ears.map { ($0.ear, levels(spectra.after, $0.channel)) })
    ).svg
  }
}

extension RenderReport {
  static let gainNote =
    "Level: the energy-weighted mean input level in the band. Prescribed: the preset's gain at that "
    + "level. Achieved: the difference between the levels after and before, in a third of an octave "
    + "around the frequency; – means that there was no sound to measure. If soft sounds get more gain "
    + "than loud ones, the gain changes with the sound and the two columns differ by a few dB. They "
    + "also differ where the limiter was active and where the gain changes steeply with frequency."

  /// The prescribed and the achieved gain in each of the processor's bands.
  var gains: ReportTable {
    let columns = Self.ears.map { ear, channel in
      gains(of: ear, channel: channel)
    }
    return ReportTable(
      caption: "Gain in dB, prescribed and achieved",
      corner: "Frequency",
      groups: Self.ears.map { ear, _ in
        (Self.name(of: ear), ["Level", "Prescribed", "Achieved"])
      },
      rows: spectra.centers.enumerated().map { band, center in
        ("\(Int(center)) Hz", columns.flatMap { $0[band] })
      })
  }

  /// The maximum difference in dB between the level of the loudest band and the level of a band in
  /// which the gain is measured.
  private static let measurableRange = 70.0

  /// The table cells of one ear. For each band, they are the input level, the prescribed gain and
  /// the achieved gain.
  private func gains(of ear: Ear, channel: Int) -> [[String]] {
    let around = spectra.centers.map { ThirdOctaveSpectrum.Band(around: $0) }
    let before = spectra.before.levels(in: around, channel: channel)
    let after = spectra.after.levels(in: around, channel: channel)
    let loudest = spectra.before.levels(channel: channel).max() ?? -.infinity
    let preset = summary.preset.fineTuned
    return spectra.centers.enumerated().map { band, center in
      guard let level = spectra.inputLevels.level(channel: channel, band: band),
        before[band] > loudest - Self.measurableRange
      else { return ["silent", "–", "–"] }
      let prescribed = preset[ear].map {
        $0.gain(at: center, inputLevel: level) * Double(summary.options.intensity)
      }
      return [
        decimals(level), prescribed.map { decimals($0) } ?? "unknown",
        decimals(after[band] - before[band]),
      ]
    }
  }
}
