import ExampleSupport
import Foundation
import HearingFitting

/// Measurements of a preset with test signals for each ear, as in the data sheet of a hearing aid.
///
/// Input levels are levels in a free field at the listener's head. Output levels are levels in the
/// same field. Where "coupler" is stated, they are levels in a 2 cm³ coupler, a cavity that is
/// used instead of an ear. HFA (high-frequency average) is the mean at 1000, 1600 and 2500 Hz.
struct DataSheet: Encodable {
  let listener: String
  let rule: String?
  /// The sample rate in Hz.
  let sampleRate: Double
  let ears: [EarSheet]

  struct EarSheet: Encodable, Equatable {
    var ear: String
    /// The frequencies of the tones in Hz. They are a sixth of an octave apart.
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
    /// The maximum coupler output in dB SPL for tones of 90 dB SPL, and the frequency in Hz at
    /// which it occurs.
    let maximumCouplerOutput: Double
    let maximumCouplerOutputFrequency: Double
    /// The output limit of 21 CFR 800.30 in dB SPL. There are two limits: one for gains that depend
    /// on the input level, and one for other gains.
    let outputLimit: Double
    /// Three high-frequency averages (HFA) in the coupler. The first is an output level in dB SPL,
    /// the other two are gains in dB.
    let averageOutputAt90: Double
    let fullOnGain: Double
    let referenceTestGain: Double
    /// The lower and upper limit in Hz of the frequency range. In this range, the coupler gain for
    /// tones of 60 dB SPL is at most 20 dB below the high-frequency average (HFA) of this gain.
    let lowerCutoff: Double
    let upperCutoff: Double
    let distortion: [Distortion]
    /// The output in dB SPL for digital silence at the input; nil if the output is also digital
    /// silence.
    let selfNoise: Double?
    /// The latency, the attack time and the release time in milliseconds.
    let latency: Double
    let attack: Double
    let release: Double
    /// The maximum height in dB of a peak in the spectrum. The height is the difference between the
    /// level of a third-octave band and the mean level of two other bands: one is two thirds of an
    /// octave below, the other is two thirds of an octave above.
    let roughness: Double
    let inputOutput: [InputOutput]

    /// The maximum difference in dB between the output for tones of 90 dB SPL and the permitted
    /// output, and the frequency in Hz at which this difference occurs.
    ///
    /// The lowest band detects only a part of the power of a tone below the band's centre.
    /// Therefore such a tone can exceed the permitted output.
    var excess: (level: Double, frequency: Double) {
      let above = zip(outputAt90, permittedOutput).map { $0 - $1 }
      let worst = above.indices.max { above[$0] < above[$1] } ?? 0
      return (above[worst], frequencies[worst])
    }

    /// The name of the ear, such as "Right ear".
    var title: String { ear.prefix(1).uppercased() + ear.dropFirst() + " ear" }
  }

  /// The columns of the tables, each with a heading and an ear. If both ears have equal figures,
  /// there is only one column.
  var shown: [(title: String, sheet: EarSheet)] {
    guard ears.count == 2 else { return ears.map { ($0.title, $0) } }
    var other = ears[1]
    other.ear = ears[0].ear
    return other == ears[0] ? [("Both ears", other)] : ears.map { ($0.title, $0) }
  }

  /// The total harmonic distortion of a tone in percent.
  struct Distortion: Encodable, Equatable {
    let frequency: Double
    let level: Double
    let percent: Double
  }

  /// The output levels in dB SPL for tones at several input levels in dB SPL.
  struct InputOutput: Encodable, Equatable {
    let frequency: Double
    let inputs: [Double]
    let outputs: [Double]
  }

  /// A measured figure and its limit.
  struct Row {
    let name: String
    /// The figure as text, for each ear.
    let values: [String]
    /// The limit as text; nil if the figure has no limit.
    let limit: String?
    /// Whether the figures of all ears are within the limit.
    let isMet: Bool

    var verdict: String { limit == nil ? "–" : isMet ? "met" : "not met" }
  }
}

extension DataSheet {
  /// The figures in the order of ANSI S3.22 and 21 CFR 800.30.
  var rows: [Row] {
    let limits = ears.map { Self.number($0.outputLimit, 0) }
    let limit = Set(limits).count == 1 ? limits[0] : limits.joined(separator: " and ")
    var rows = [
      row(
        "Maximum OSPL90, coupler", limit: "≤ \(limit) dB SPL",
        {
          "\(Self.number($0.maximumCouplerOutput)) dB SPL at \(Self.hertz($0.maximumCouplerOutputFrequency))"
        },
        { $0.maximumCouplerOutput < $0.outputLimit + 0.05 }),
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
        "Smoothness: highest peak of a third-octave", limit: "≤ 12 dB (goal 6)",
        { Self.number($0.roughness) + " dB" }, { $0.roughness <= 12 }),
    ]
    for (index, distortion) in (ears.first?.distortion ?? []).enumerated() {
      let name = "Harmonic distortion, \(Self.hertz(distortion.frequency)) at "
      rows.append(
        row(
          name + "\(Self.number(distortion.level, 0)) dB SPL", limit: "≤ 5 % (goal 1)",
          { Self.number($0.distortion[index].percent, 2) + " %" },
          { $0.distortion[index].percent <= 5 }))
    }
    return rows + [
      row(
        // A-weighting raises the level by at most 1.3 dB. Therefore 30.7 dB SPL is at most 32 dBA.
        "Noise of the processing", limit: "≤ 32 dBA (goal 20)",
        { $0.selfNoise.map { Self.number($0) + " dB SPL" } ?? "none" },
        { ($0.selfNoise ?? 0) <= 30.7 }),
      row(
        "Equivalent input noise",
        { ear in ear.selfNoise.map { Self.number($0 - ear.fullOnGain) + " dB SPL" } ?? "none" }),
      row(
        "Latency", limit: "≤ 15 ms (goal 0)", { Self.number($0.latency) + " ms" },
        { $0.latency <= 15 }),
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

  /// The data sheet as text for the terminal.
  var text: String {
    let table =
      [["Figure"] + shown.map(\.title) + ["limit", ""]]
      + rows.map { [$0.name] + $0.values + [$0.limit ?? "", $0.verdict] }
    return "\(listener), \(rule.map { "rule \($0)" } ?? "no rule")\n\n"
      + TextTable.lines(table).joined(separator: "\n")
  }

  /// The data sheet as JSON.
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
