import ExampleSupport
import Foundation
import HearingFitting

/// The effect of a fitted preset on test signals, for each ear, as on a hearing aid's data sheet.
///
/// Input levels apply to a free field at the listener's head. Output levels apply to the same
/// field, or to a 2 cm³ coupler where stated. HFA: the mean at 1000, 1600 and 2500 Hz.
struct DataSheet: Encodable {
  let listener: String
  let rule: String?
  /// Hz.
  let sampleRate: Double
  let ears: [EarSheet]

  struct EarSheet: Encodable {
    let ear: String
    /// The frequencies of the tones in Hz, a sixth of an octave apart.
    let frequencies: [Double]
    /// The output in dB SPL for tones of 90 dB SPL.
    let outputAt90: [Double]
    let couplerOutputAt90: [Double]
    /// The maximum output in dB SPL that the preset permits at each frequency.
    let permittedOutput: [Double]
    /// The gain in dB for tones of 50 and 60 dB SPL.
    let gainAt50: [Double]
    let gainAt60: [Double]
    let couplerGainAt60: [Double]
    /// The maximum coupler output in dB SPL for tones of 90 dB SPL, and its frequency in Hz.
    let maximumCouplerOutput: Double
    let maximumCouplerOutputFrequency: Double
    /// The limit of 21 CFR 800.30 in dB SPL. It depends on the kind of preset.
    let outputLimit: Double
    /// HFA in a coupler: output in dB SPL, then gains in dB.
    let averageOutputAt90: Double
    let fullOnGain: Double
    let referenceTestGain: Double
    /// The limits in Hz of the range in which the coupler gain at 60 dB SPL is at most 20 dB below
    /// its HFA.
    let lowerCutoff: Double
    let upperCutoff: Double
    let distortion: [Distortion]
    /// The output in dB SPL without any input; nil if it is digital silence.
    let selfNoise: Double?
    /// In milliseconds.
    let latency: Double
    let attack: Double
    let release: Double
    /// The maximum level in dB of a third-octave band above the mean of the bands two thirds of an
    /// octave below and above it.
    let roughness: Double
    let inputOutput: [InputOutput]

    /// The maximum excess in dB of the output for tones of 90 dB SPL over the permitted output, and
    /// its frequency in Hz. Below the lowest band, the band measures only a part of the tone.
    var excess: (level: Double, frequency: Double) {
      let above = zip(outputAt90, permittedOutput).map { $0 - $1 }
      let worst = above.indices.max { above[$0] < above[$1] } ?? 0
      return (above[worst], frequencies[worst])
    }

    /// The name of the ear, such as "Right ear".
    var title: String { ear.prefix(1).uppercased() + ear.dropFirst() + " ear" }
  }

  /// The ears that tables show, with their headings: one for both if they are equal.
  var shown: [(title: String, sheet: EarSheet)] {
    if let (first, last) = ears.first.flatMap({ first in ears.last.map { (first, $0) } }),
      ears.count == 2, first.couplerOutputAt90 == last.couplerOutputAt90,
      first.gainAt50 == last.gainAt50, first.gainAt60 == last.gainAt60
    {
      return [("Both ears", first)]
    }
    return ears.map { ($0.title, $0) }
  }

  /// The total harmonic distortion of a tone in percent.
  struct Distortion: Encodable {
    let frequency: Double
    let level: Double
    let percent: Double
  }

  /// The output of tones in dB SPL over their input level.
  struct InputOutput: Encodable {
    let frequency: Double
    let inputs: [Double]
    let outputs: [Double]
  }

  /// A measured figure beside its limit.
  struct Row {
    let name: String
    /// One text for each ear.
    let values: [String]
    /// Nil: the figure has no limit.
    let limit: String?
    /// Whether every ear is within the limit.
    let isMet: Bool

    var verdict: String { limit == nil ? "–" : isMet ? "met" : "not met" }
  }
}

extension DataSheet {
  /// The figures in the order of the standards.
  var rows: [Row] {
    var rows = [
      row(
        "Maximum OSPL90, coupler",
        limit: "≤ \(Self.number(ears.map(\.outputLimit).max() ?? 0, 0)) dB SPL",
        {
          "\(Self.number($0.maximumCouplerOutput)) dB SPL at \(Self.hertz($0.maximumCouplerOutputFrequency))"
        },
        { $0.maximumCouplerOutput <= $0.outputLimit }),
      row(
        "Tones of 90 dB SPL above the preset's limit", limit: "≤ 1 dB",
        {
          $0.excess.level <= 0
            ? "never" : "\(Self.number($0.excess.level)) dB at \(Self.hertz($0.excess.frequency))"
        },
        { $0.excess.level <= 1 }),
      row("HFA-OSPL90, coupler") { Self.number($0.averageOutputAt90) + " dB SPL" },
      row("HFA full-on gain at 50 dB SPL, coupler") { Self.number($0.fullOnGain) + " dB" },
      row("Reference test gain, coupler") { Self.number($0.referenceTestGain) + " dB" },
      row(
        "Bandwidth", limit: "250 Hz to 5 kHz",
        { "\(Self.hertz($0.lowerCutoff)) to \(Self.hertz($0.upperCutoff))" },
        { $0.lowerCutoff <= 250 && $0.upperCutoff >= 5000 }),
      row(
        "Smoothness: highest peak of a third-octave", limit: "≤ 12 dB",
        { Self.number($0.roughness) + " dB" }, { $0.roughness <= 12 }),
    ]
    for (index, distortion) in (ears.first?.distortion ?? []).enumerated() {
      let name = "Harmonic distortion, \(Self.hertz(distortion.frequency)) at "
      rows.append(
        row(
          name + "\(Self.number(distortion.level, 0)) dB SPL", limit: "≤ 5 %",
          { Self.number($0.distortion[index].percent, 2) + " %" },
          { $0.distortion[index].percent <= 5 }))
    }
    return rows + [
      row(
        "Noise of the processing", limit: "≤ 32 dBA",
        { $0.selfNoise.map { Self.number($0) + " dB SPL" } ?? "none" },
        { ($0.selfNoise ?? 0) <= 31 }),
      row(
        "Equivalent input noise",
        { ear in ear.selfNoise.map { Self.number($0 - ear.fullOnGain) + " dB SPL" } ?? "none" }),
      row("Latency", limit: "≤ 15 ms", { Self.number($0.latency) + " ms" }, { $0.latency <= 15 }),
      row("Attack, 55 to 90 dB SPL at 2 kHz") { Self.number($0.attack) + " ms" },
      row("Release, 90 to 55 dB SPL at 2 kHz") { Self.number($0.release, 0) + " ms" },
    ]
  }

  private func row(
    _ name: String, limit: String? = nil, _ value: (EarSheet) -> String,
    _ isMet: (EarSheet) -> Bool = { _ in true }
  ) -> Row {
    Row(
      name: name, values: shown.map { value($0.sheet) }, limit: limit, isMet: ears.allSatisfy(isMet)
    )
  }

  /// The sheet for the terminal.
  var text: String {
    let table =
      [["Figure"] + shown.map(\.title) + ["limit", ""]]
      + rows.map { [$0.name] + $0.values + [$0.limit ?? "", $0.verdict] }
    return "\(listener), \(rule.map { "rule \($0)" } ?? "no rule")\n\n"
      + TextTable.lines(table).joined(separator: "\n")
  }

  /// The sheet as JSON.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try? encoder.encode(self)
    return String(decoding: data ?? Data(), as: UTF8.self) + "\n"
  }

  static func number(_ value: Double, _ places: Int = 1) -> String {
    let text = String(format: "%.\(places)f", value)
    let isZero = text.allSatisfy { "-0.".contains($0) }
    return (isZero ? text.filter { $0 != "-" } : text).replacingOccurrences(of: "-", with: "−")
  }

  static func hertz(_ frequency: Double) -> String { number(frequency, 0) + " Hz" }
}
