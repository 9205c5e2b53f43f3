import Foundation
import HearingFitting
import HearingReport

/// A description of a listener and of the gains of the listener's preset, for a terminal.
struct PresetText {
  /// The path of the audiogram file or the name of the standard audiogram. Nil if both ears are
  /// estimated from age and sex.
  let name: String?
  let listener: FittedListener
  let preset: Preset

  /// The whole text: the listener's hearing, a table of gains, the maximum output, and the preset's
  /// identifier.
  var text: String {
    let assessment = HearingAssessment(of: listener.measured)
    var lines: [String] = []
    if let grade = assessment.grade {
      lines.append(
        "\(heading): \(grade == .normal ? "normal hearing" : "\(grade.rawValue) hearing loss") "
          + "(World Health Organization, by the better ear)")
    } else {
      lines.append(heading)
    }
    for ear in Ear.clinicalOrder {
      guard let average = listener.profile[ear]?.pureToneAverageText else { continue }
      lines.append(
        "\(ear.rawValue) ear: \(average) on average (500, 1000, 2000 and 4000 Hz)")
    }
    for ear in Ear.clinicalOrder
    where listener.estimatedEars.contains(ear) && listener.measured.method != .estimate {
      lines.append("\(ear.rawValue) ear: estimated from age and sex; a measurement is better")
    }
    lines += listener.notes + assessment.summary
    for ear in Ear.clinicalOrder {
      for threshold in preset[ear]?.assumedThresholds ?? [] {
        lines.append(
          "\(Int(threshold.frequency)) Hz, \(ear.rawValue) ear: no response at "
            + "\(Self.decimal(threshold.tested)) dB HL; the fitting assumes "
            + "\(Self.decimal(threshold.assumed))")
      }
    }
    lines.append("")
    lines.append("insertion gain in dB for 50, 65 and 80 dB SPL in the band")
    lines.append("(limited by the maximum output; speech of these levels has less in each band)")
    lines.append("      Hz  right: 50    65    80   left: 50    65    80")
    lines += RuleGains.frequencies.map { frequency in
      let cells = Ear.clinicalOrder.map { ear in
        let gains = RuleGains.inputLevels.enumerated().map { index, level in
          let gain = preset[ear].map { Self.decimal($0.toneGain(at: frequency, inputLevel: level)) }
          return Self.padded(gain ?? "–", to: index == 0 ? 11 : 6)
        }
        return gains.joined()
      }
      return Self.padded("\(Int(frequency))", to: 8) + cells.joined()
    }
    let ceilings = Ear.clinicalOrder.map { ear in
      "\(ear.rawValue) "
        + (preset[ear].map { "\(Self.decimal($0.maximumOutput)) dB SPL" } ?? "unknown, no gain")
    }
    lines += ["", "maximum output in a free field: " + ceilings.joined(separator: ", ")]
    lines += ReportSection.couplerOutput(of: preset).flatMap { Self.wrapped($0, width: 100) }
    lines.append("rule \(preset.rule ?? "none"), preset \(preset.id)")
    return lines.joined(separator: "\n") + "\n"
  }

  private var heading: String {
    guard let name else { return "typical hearing for this age and sex" }
    return Audiogram.standard(named: name) == nil
      ? name.singleLine(limit: 200) : "standard audiogram \(name.uppercased()), both ears"
  }

  /// Formats a number with one decimal. The text is the same in every locale.
  private static func decimal(_ value: Double) -> String { "\((value * 10).rounded() / 10 + 0)" }

  /// Breaks a text into lines of at most `width` characters. A word is never broken.
  private static func wrapped(_ text: String, width: Int) -> [String] {
    text.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }

  private static func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
