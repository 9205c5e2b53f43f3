import Foundation
import HearingFitting

/// A preset's gains as a table for a terminal.
struct PresetText {
  let preset: Preset
  /// The ears that were estimated from age and sex.
  let estimatedEars: Set<Ear>
  /// Reasons to see an audiologist.
  var findings: [HearingAssessment.Finding] = []

  /// The rule, a table of gains, and the maximum output.
  var text: String {
    var lines = ["rule \(preset.rule ?? "none"), preset \(preset.id)"]
    for ear in Ear.allCases where estimatedEars.contains(ear) {
      lines.append("\(ear.rawValue) ear: estimated from age and sex; a measurement is better")
    }
    for case .asymmetry(let frequency, let difference, let ear) in findings {
      lines.append(
        "\(Int(frequency)) Hz: the \(ear.rawValue) ear is \(Self.decimal(difference)) dB poorer than "
          + "the other; see a professional")
    }
    for ear in Ear.allCases {
      for threshold in preset[ear]?.assumedThresholds ?? [] {
        lines.append(
          "\(Int(threshold.frequency)) Hz, \(ear.rawValue) ear: no response at "
            + "\(Self.decimal(threshold.tested)) dB HL; the fitting assumes "
            + "\(Self.decimal(threshold.assumed))")
      }
    }
    lines += ["", "insertion gain in dB at an input of 50, 65 and 80 dB SPL"]
    lines.append("      Hz   left: 50    65    80  right: 50    65    80")
    lines += RuleGains.frequencies.map { frequency in
      let cells = Ear.allCases.map { ear in
        let gains = RuleGains.inputLevels.enumerated().map { index, level in
          let gain = preset[ear].map { Self.decimal($0.gain(at: frequency, inputLevel: level)) }
          return Self.padded(gain ?? "–", to: index == 0 ? 11 : 6)
        }
        return gains.joined()
      }
      return Self.padded("\(Int(frequency))", to: 8) + cells.joined()
    }
    let ceilings = Ear.allCases.map { ear in
      "\(ear.rawValue) "
        + (preset[ear].map { "\(Self.decimal($0.maximumOutput)) dB SPL" } ?? "unknown, no gain")
    }
    lines += ["", "maximum output: " + ceilings.joined(separator: ", ")]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Formats a number of 0 or more with one decimal, in the same way in every locale.
  private static func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
