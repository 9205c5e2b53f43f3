import ExampleSupport
import Foundation
import HearingAudio

/// The measurements of the sound for the summary: levels, echo reduction, time with voice, and the
/// amount of suppression.
struct CallLevels {
  private var microphone: ActiveSpeechLevel
  private var uplink: ActiveSpeechLevel
  private let sampleRate: Double
  /// The uplink's latency in frames.
  private let latency: Int
  /// Energy of each 10 ms of the microphone, of the far voice and of the uplink.
  private var energies: [[Double]] = [[], [], []]
  private var sums = [0.0, 0.0, 0.0]
  private var count = 0

  init(sampleRate: Double, latency: Int) {
    self.sampleRate = sampleRate
    self.latency = latency
    microphone = ActiveSpeechLevel(sampleRate: sampleRate, channelCount: 1)
    uplink = ActiveSpeechLevel(sampleRate: sampleRate, channelCount: 1)
  }

  /// Adds a block; if a sound has several channels, only the first is used.
  mutating func add(microphone: AudioBlock, farVoice: AudioBlock, uplink: AudioBlock) {
    self.microphone.add(microphone)
    self.uplink.add(uplink)
    let rows = unsafe [microphone.channels[0], farVoice.channels[0], uplink.channels[0]]
    let frame = Int(sampleRate / 100)
    for index in 0..<microphone.frameCount {
      for row in 0..<3 {
        let sample = unsafe Double(rows[row][index])
        if sample.isFinite { sums[row] += sample * sample }
      }
      count += 1
      guard count == frame else { continue }
      count = 0
      for row in 0..<3 {
        energies[row].append(sums[row] / Double(frame))
        sums[row] = 0
      }
    }
  }

  /// The lines of the summary.
  ///
  /// - Parameter nearVoice: Whether a voice was active at the microphone, for each 10 ms.
  func text(nearVoice: (Int) -> Bool) -> String {
    var lines = [
      "level of speech: microphone \(Self.text(microphone.reading?.activeLevel)), "
        + "uplink \(Self.text(uplink.reading?.activeLevel))"
    ]
    let delay = Int((Double(latency) / sampleRate * 100).rounded())
    var (before, after, voiced, farOnly, suppressed) = (0.0, 0.0, 0, 0, 0)
    let total = energies[0].count
    for index in 0..<max(0, total - delay) {
      if nearVoice(index) { voiced += 1 }
      // More than −60 dB means that the far end talks.
      if energies[1][index] > 1e-6 && !nearVoice(index) {
        before += energies[0][index]
        after += energies[2][index + delay]
        farOnly += 1
      }
      if energies[0][index] > 1e-9 && energies[2][index + delay] < 0.1 * energies[0][index] {
        suppressed += 1
      }
    }
    if farOnly > 0 && before > 0 {
      let ratio = 10 * log10(before / max(after, before * 1e-12))
      lines.append(
        "far talk alone: \((Double(farOnly) / 100).clockText), microphone over uplink "
          + Self.text(ratio))
    }
    let share = { (part: Int) in "\(Int((100 * Double(part) / Double(max(1, total))).rounded())) %"
    }
    lines.append("near voice \(share(voiced)) of the time")
    lines.append("microphone lowered by more than 10 dB: \(share(suppressed)) of the time")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(_ level: Double?) -> String {
    level.map { "\(($0 * 10).rounded() / 10) dB" } ?? "none"
  }
}
