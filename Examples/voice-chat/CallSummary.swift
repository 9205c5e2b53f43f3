import Foundation

/// What came of a call.
struct CallSummary {
  let seconds: Double
  let events: [CallEvent]
  let warnings: [String]

  /// Lines for a person to read.
  var text: String {
    let mutedTalks = starts { $0.event == "mutedTalker" }
    let voices = ["near", "far"].map { side in starts { $0.side == side } }
    let gains = events.compactMap(\.gain)
    let ducking =
      gains.count > 8 ? "\(gains.count) gains" : gains.map { "\($0)" }.joined(separator: ", ")
    return """
      \(String(format: "%.2f", seconds)) s played
      voices: near \(voices[0]) times, far \(voices[1]) times
      talk into the mute: \(mutedTalks) times
      ducking in dB: \(ducking)

      """
  }

  private func starts(where isMeant: (CallEvent) -> Bool) -> Int {
    events.count { $0.state == "started" && isMeant($0) }
  }
}
