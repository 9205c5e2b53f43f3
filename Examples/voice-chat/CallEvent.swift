import Foundation
import HearingDSP
import HearingVoice

/// A line of the events file.
struct CallEvent: Encodable {
  /// The time in seconds since the call began.
  let t: Double
  let event: String
  var side: String?
  var state: String?
  /// The gain in dB.
  var gain: Double?

  /// Creates the line for an event of the processor; nil if events of this kind are not written.
  init?(_ event: RenderEvent, sampleRate: Double) {
    t = Double(event.frame) / sampleRate
    state = event.voiceChange.map { change in
      switch change {
      case .started: "started"
      case .ended: "ended"
      }
    }
    switch event.kind {
    case .mutedTalker:
      self.event = "mutedTalker"
    case .nearVoice, .farVoice:
      self.event = "voiceActivity"
      side = (event.kind == .nearVoice ? VoiceSide.near : .far).rawValue
    case .ducking:
      self.event = "ducking"
      gain = event.value
    default:
      return nil
    }
  }

  /// The line as JSON, with a newline at the end.
  func line() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
