import ExampleSupport
import Foundation
import HearingAudio
import HearingDSP
import HearingFitting

extension RenderSummary {
  /// Warnings. They are printed even with `--quiet`.
  var warnings: [String] {
    var warnings: [String] = []
    if let shortfall { warnings.append("\(options.input ?? "the recording"): \(shortfall)") }
    if sound.hasNonFiniteSamples {
      warnings.append(
        "\(options.input ?? "the recording"): some samples are not numbers or infinite")
    }
    if sound.clippedSampleCount > 0 {
      warnings.append("\(options.output): \(sound.clippedSampleCount) samples clipped")
    }
    if let path = options.comparisonPath, clippedComparisonSampleCount > 0 {
      warnings.append("\(path): \(clippedComparisonSampleCount) samples clipped")
    }
    return warnings
  }

  /// The summary for the terminal.
  var text: String {
    let notes = [heading, headphone, calibration, gainNote].compactMap { $0 }
    return (notes + gainTable + levelTable + endings).joined(separator: "\n")
  }

  private var heading: String {
    let listener =
      options.audiogram.map { "audiogram \($0)" } ?? "preset \(options.listenerName)"
    let rule = preset.rule.map { "rule \($0)" } ?? "no rule"
    let program = preset.program.map { ", program \($0.rawValue)" } ?? ""
    let techLevel = options.audiogram == nil ? "" : ", tech level \(options.techLevel)"
    let input = options.input ?? "the embedded recording"
    return """
      \(input) → \(options.output)
      \(listener), \(rule)\(program)\(techLevel), intensity \(options.intensity)\
      \(options.isBypassed ? ", bypassed" : "")
      """
  }

  private var headphone: String? {
    options.headphonePath.map {
      "headphone correction active: \($0.singleLine(limit: 200)) (not in the measured gains)"
    }
  }

  private var calibration: String {
    let scale = "full scale (RMS 1.0): \(decibels(fullScale.level)) dB SPL"
    switch fullScale.origin {
    case .given:
      return "\(scale), as given"
    case .measured(let activeLevel):
      let level = activeLevel + fullScale.level
      return "\(scale); the active level of \(decibels(activeLevel)) dBFS "
        + "is taken as \(decibels(level)) dB SPL"
    case .nothingActive:
      return "\(scale), assumed: the recording has no active level"
    case .unknownStream:
      return "\(scale), assumed: the level of a stream is not measured"
    }
  }

  private var gainNote: String? {
    options.intensity < 1 && !options.isBypassed
      ? "\(decibels(Double(options.intensity) * 100)) % of each prescribed gain in dB is applied"
      : nil
  }

  private var gainTable: [String] {
    let heading = [
      "Hz", "tone, dB SPL", "right prescribed", "measured", "left prescribed", "measured",
    ]
    let rows = bands.map { band in
      [String(format: "%.0f", band.center), String(format: "%.0f", band.level)]
        + RenderReport.ears.flatMap { _, channel in
          [
            band.prescribed[channel].map(hundredths) ?? "unknown",
            hundredths(band.measured[channel]),
          ]
        }
    }
    return ["", "Gain in dB"] + TextTable.lines([heading] + rows)
  }

  private var levelTable: [String] {
    let heading = ["Level in dB SPL", "in", "peak in", "out", "peak out", "limiter, above 0.5 dB"]
    let rows = RenderReport.ears.map { ear, channel in
      [ear.rawValue] + levels(sound.input[channel]) + levels(sound.output[channel])
        + [limiting(sound.levels.channels[channel])]
    }
    return [""] + TextTable.lines([heading] + rows)
  }

  /// Explains how the listener compensates for the attenuation; nil without attenuation.
  var volume: String? {
    guard sound.scaling.attenuation >= 0.5, !options.leavesSoundUnchanged else { return nil }
    let amount = String(format: "%.0f", sound.scaling.attenuation)
    return "To hear the prescribed level, turn the volume up by \(amount) dB from where the "
      + "original sounds right."
  }

  /// Says how to get a page that plays the sound; nil if the written page plays it, or if no page
  /// is written.
  var playerHint: String? {
    guard options.reportPath != nil, options.comparisonPath == nil else { return nil }
    return "Add --compare BEFORE.wav, and the page plays the sound before and after."
  }

  private var endings: [String] {
    var lines = ["", "\(options.encoding.rawValue) output: \(sound.scaling)"]
    lines += volume.map { [$0] } ?? []
    if let path = options.comparisonPath {
      lines.append("compare \(path) (before) with \(options.output) (after), at one volume")
    }
    for case let path? in [options.tracePath, options.reportPath] {
      lines.append("\(path) written")
    }
    lines += playerHint.map { [$0] } ?? []
    let speed = sound.frameCount == 0 ? nil : sound.progress.speed
    let format = (speed ?? 0) < 10 ? ", %.1f times real time" : ", %.0f times real time"
    let times = speed.map { String(format: format, $0) } ?? ""
    lines.append("\(sound.seconds.clockText) rendered\(times)")
    return lines
  }

  /// The RMS level, and the level of a sine with the same peak, in dB SPL.
  private func levels(_ reading: LevelMeter.Reading) -> [String] {
    [reading.rmsDecibels, reading.peakDecibels - 3.01].map { level in
      level.isFinite ? decibels(level + fullScale.level) : "silent"
    }
  }

  private func limiting(_ channel: BandLevels.Channel) -> String {
    guard channel.limitedFrameCount > 0, sound.progress.frameCount > 0 else { return "never" }
    let fraction = Double(channel.limitedFrameCount) / Double(sound.progress.frameCount)
    return String(
      format: "%.1f %% of the time, at most %.1f dB", fraction * 100,
      channel.greatestLimiterReduction)
  }

  private func hundredths(_ value: Double) -> String {
    String(format: "%.2f", abs(value) < 0.005 ? 0 : value)
  }

  private func decibels(_ value: Double) -> String {
    String(format: "%.1f", value == 0 ? 0 : value)
  }
}
