import ExampleSupport
import HearingAudiometry
import HearingFitting

/// The result of a test for a terminal. It contains a picture of the audiogram and its uncertainty,
/// a table, and the reasons why the result may be unreliable.
struct ResultText {
  let test: ToneTest
  let profile: HearingProfile

  private static let columnWidth = 6
  private static let step = 5

  var text: String {
    (picture + [""] + table + [""] + notes).joined(separator: "\n") + "\n"
  }

  private var frequencies: [Double] { Set(test.estimate.map(\.frequency)).sorted() }

  private func estimate(_ ear: Ear, _ frequency: Double) -> ThresholdEstimate? {
    test.estimate.first { $0.ear == ear && $0.frequency == frequency }
  }

  /// A picture of the audiogram. Levels increase downwards, and frequencies increase to the right.
  ///
  /// O is the right ear, X is the left ear, and * is both ears. Bars show the range that contains
  /// the threshold with a probability of 90 %.
  private var picture: [String] {
    var lines = [
      "dB HL  "
        + frequencies.map { Self.centered(Self.short($0)) }.joined()
    ]
    for level in stride(from: -10, through: 120, by: Self.step) {
      let cells = frequencies.map { Self.centered(mark(at: $0, level: level)) }
      lines.append(
        Self.padded(level.isMultiple(of: 10) ? "\(level)" : "", to: 5) + "  " + cells.joined())
    }
    return lines + [
      "O right ear, X left ear, * both; | where a threshold lies 9 times in 10; v no response"
    ]
  }

  private func mark(at frequency: Double, level: Int) -> String {
    let low = Double(level) - Double(Self.step) / 2
    let high = Double(level) + Double(Self.step) / 2
    var marks: [String] = []
    var bars: [String] = []
    for (ear, symbol) in [(Ear.right, "O"), (.left, "X")] {
      guard let estimate = estimate(ear, frequency) else { continue }
      if estimate.threshold >= low, estimate.threshold < high {
        marks.append(symbol + (estimate.isNoResponse ? "v" : ""))
      }
      if !estimate.isNoResponse, estimate.interval.lowerBound < high,
        estimate.interval.upperBound >= low
      {
        bars.append("|")
      }
    }
    if marks == ["O", "X"] { return "*" }
    if !marks.isEmpty { return marks.joined() }
    return bars.joined()
  }

  private var table: [String] {
    var lines = ["    Hz   right ear (90 %)            left ear (90 %)"]
    for frequency in frequencies {
      let cells = [Ear.right, .left].map { ear -> String in
        guard let estimate = estimate(ear, frequency) else { return "–" }
        if estimate.isNoResponse { return "no response up to \(Int(estimate.threshold)) dB HL" }
        let low = Int(estimate.interval.lowerBound.rounded())
        let high = Int(estimate.interval.upperBound.rounded())
        return "\(Int(estimate.threshold.rounded())) dB HL (\(low) to \(high))"
          + (estimate.isMasked ? " masked" : "")
      }
      lines.append(
        Self.padded("\(Int(frequency))", to: 6) + "   "
          + cells[0].padding(to: 28) + cells[1])
    }
    return lines
  }

  private var notes: [String] {
    let reliability = test.reliability
    var lines = [
      "\(test.toneCount) tones; \(reliability.falseAlarmCount) "
        + (reliability.falseAlarmCount == 1 ? "press" : "presses")
        + " in \(reliability.silenceCount) silences"
    ]
    for repetition in reliability.repeats {
      lines.append(
        "\(Int(repetition.frequency)) Hz, \(repetition.ear.rawValue) ear, measured twice: "
          + "\(Int(repetition.first.rounded())) and \(Int(repetition.second.rounded())) dB HL")
    }
    lines += profile.record?.warnings ?? []
    for finding in HearingAssessment(of: profile).findings { lines.append("\(finding)") }
    if profile.method == .simulation {
      lines.append("A program answered the test, not a person.")
    }
    lines.append("This is no diagnosis. See a professional about any hearing loss.")
    return lines
  }

  private static func short(_ frequency: Double) -> String {
    guard frequency >= 1000 else { return "\(Int(frequency))" }
    let tenths = Int((frequency / 100).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)k" : "\(tenths / 10).\(tenths % 10)k"
  }

  private static func centered(_ text: String) -> String {
    let room = max(0, columnWidth - text.count)
    let left = room / 2
    return String(repeating: " ", count: left) + text
      + String(repeating: " ", count: room - left)
  }

  private static func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension String {
  /// The text, padded with spaces to a width.
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
