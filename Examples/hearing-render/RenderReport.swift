import Foundation
import HearingAudio
import HearingDSP
import HearingFitting
import HearingReport

/// The page on a rendering: the fitting, and what it did to the sound.
struct RenderReport {
  let summary: RenderSummary
  let sound: RenderSummary.Sound
  let spectra: RenderObservation.Spectra
  private let profile: HearingProfile?

  /// A page on a rendering whose spectra were measured; `profile` is nil if only a preset is known.
  init(_ summary: RenderSummary, profile: HearingProfile?) {
    guard let spectra = summary.sound.spectra else {
      preconditionFailure("a report on a rendering without spectra")
    }
    self.summary = summary
    self.sound = summary.sound
    self.spectra = spectra
    self.profile = profile
  }

  /// The page in UTF-8.
  var data: Data {
    let preset = summary.preset ?? Preset(left: nil, right: nil)
    var report =
      profile.map { FittingReport(profile: $0, preset: preset) } ?? FittingReport(preset: preset)
    report.sections.insert(measured, at: min(1, report.sections.count))
    return report.data
  }

  private var measured: ReportSection {
    ReportSection(
      title: "What was done to the sound",
      blocks: [
        .paragraph(introduction), .table(levels), .picture(picture, caption: Self.pictureCaption),
        .table(gains), .paragraph(Self.gainNote),
      ])
  }

  private var introduction: String {
    let seconds = Double(sound.progress.frameCount) / sound.progress.sampleRate
    let name = summary.options.input ?? "The recording that comes with the program"
    var sentences = [
      "\(name), \(decimals(seconds)) s, at \(summary.format.sampleRate) Hz.",
      "An RMS of 1.0 stands for \(decimals(summary.loudness.fullScaleSPL)) dB SPL.",
    ]
    if summary.options.isBypassed {
      sentences.append("The sound was passed on as it is: nothing was applied.")
    } else if summary.options.intensity < 1 {
      let share = Int((summary.options.intensity * 100).rounded())
      sentences.append("Of each prescribed gain in dB, \(share) % was applied.")
    }
    return sentences.joined(separator: " ")
  }

  /// In the order of audiograms: right before left.
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
}
