import ExampleSupport
import Foundation
import HearingAudio
import HearingVoice

/// Measures the signals of a call for the summary: levels, echo reduction, time with voice, and the
/// amount of suppression.
struct CallLevels {
  private var microphone: ActiveSpeechLevel
  private var uplink: ActiveSpeechLevel
  private let sampleRate: Double
  /// The latency in frames from the microphone to the uplink, the signal that is sent to the other
  /// end.
  private let latency: Int
  /// The mean power of each 10 ms frame, without its DC offset. The signals are microphone, far
  /// voice, uplink and playback, in this order. For two channels, this is the power of the louder
  /// channel.
  private var energies: [[Double]] = [[], [], [], []]
  /// The sum of the samples and the sum of their squares in the current frame, for each channel of
  /// each signal.
  private var sums = [[SIMD2<Double>]](repeating: [.zero, .zero], count: 4)
  private var count = 0

  init(sampleRate: Double, latency: Int) {
    self.sampleRate = sampleRate
    self.latency = latency
    microphone = ActiveSpeechLevel(sampleRate: sampleRate, channelCount: 1)
    uplink = ActiveSpeechLevel(sampleRate: sampleRate, channelCount: 1)
  }

  /// Adds a block of each signal.
  mutating func add(
    microphone: AudioBlock, farVoice: AudioBlock, uplink: AudioBlock, playback: AudioBlock
  ) {
    self.microphone.add(microphone)
    self.uplink.add(uplink)
    let blocks = [microphone, farVoice, uplink, playback]
    var start = 0
    while start < microphone.frameCount {
      let frame = frameLength
      let end = min(start + frame - count, microphone.frameCount)
      for row in 0..<4 {
        for channel in 0..<blocks[row].channelCount {
          unsafe sums[row][channel] += Self.sums(blocks[row].channels[channel], start..<end)
        }
      }
      count += end - start
      start = end
      guard count == frame else { continue }
      count = 0
      for row in 0..<4 {
        let length = Double(frame)
        let powers = sums[row].map { ($0[1] - $0[0] * $0[0] / length) / length }
        energies[row].append(max(0, powers[0], powers[1]))
        sums[row] = [.zero, .zero]
      }
    }
  }

  /// The number of samples in the current 10 ms frame. If the sample rate is not a multiple of 100
  /// Hz, some frames are one sample longer than others.
  private var frameLength: Int {
    let index = Double(energies[0].count)
    return Int((index + 1) * sampleRate / 100) - Int(index * sampleRate / 100)
  }

  /// The sum of the finite samples and the sum of their squares.
  private static func sums(
    _ samples: UnsafeMutablePointer<Float>, _ span: Range<Int>
  ) -> SIMD2<Double> {
    var sums = SIMD2<Double>.zero
    for index in span {
      let sample = unsafe Double(samples[index])
      if sample.isFinite { sums += SIMD2(sample, sample * sample) }
    }
    return sums
  }

  /// The results of the measurements.
  struct Result {
    /// The lines of the summary.
    var lines: [String] = []
    /// The time spans in seconds in which talk at this end (near talk) was lost.
    var lost: [Range<Double>] = []
    /// The percentage of talk at this end that was lost, as text.
    var lostFraction = ""
  }

  /// Evaluates the call.
  ///
  /// - Parameter controlsGain: Whether gain control changes the level of talk.
  func result(_ history: CallHistory, echo: EchoReport, controlsGain: Bool) -> Result {
    let delay = Int((Double(latency) / sampleRate * 100).rounded())
    let total = energies[0].count
    let count = max(0, total - delay)
    let near = Self.frames(history.near, count: count)
    // The uplink is faded out and in over 15 ms when the microphone is muted and unmuted. It is
    // also delayed by its latency. Therefore the muted spans are extended.
    let muted = Self.frames(
      history.muted.map { max(0, $0.lowerBound - 0.02)..<$0.upperBound + 0.03 }, count: count)
    var result = Result()
    result.lines.append(
      "level of speech: microphone \(Self.text(microphone.reading?.activeLevel)), "
        + "uplink \(Self.text(uplink.reading?.activeLevel))")
    var (before, after, farOnly, suppressed, sent) = (0.0, 0.0, 0, 0, 0)
    for index in 0..<count where !muted[index] {
      sent += 1
      // Talk at the other end counts if its level is above −60 dB relative to an RMS of 1.0.
      if energies[1][index] > 1e-6 && !near[index] {
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
      result.lines.append(
        "far talk alone: \((Double(farOnly) / 100).clockText), microphone over uplink "
          + Self.text(ratio))
    }
    func fraction(_ part: Int, of whole: Int) -> String {
      "\(Int((100 * Double(part) / Double(max(1, whole))).rounded())) %"
    }
    result.lines.append("near voice \(fraction(near.count { $0 }, of: total)) of the time")
    // The extension of the muted spans does not count as muted time.
    let mutedTime = history.muted.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    let milliseconds = [mutedTime, history.seconds].map { Int(($0 * 1_000).rounded()) }
    result.lines.append("muted \(fraction(milliseconds[0], of: milliseconds[1])) of the time")
    result.lines.append(
      "microphone lowered by more than 10 dB: \(fraction(suppressed, of: sent)) of the time it was "
        + "sent")
    let loud = talkFrames(near, muted, echo: echo, count: count)
    let gains = controlsGain ? expectedGains(loud) : loud.map { _ in 1 }
    let lost = zip(loud, gains).filter { frame, gain in
      energies[2][frame + delay] < 0.1 * gain * energies[0][frame]
    }.map(\.0)
    result.lostFraction = fraction(lost.count, of: loud.count)
    result.lines.append("near-end speech lost: \(result.lostFraction)")
    result.lost = Self.spans(lost)
    return result
  }

  /// The indices of the 10 ms frames that count as talk at this end.
  ///
  /// In these frames, voice at this end is detected, and the microphone is not muted. The
  /// microphone level is above −45 dB relative to an RMS of 1.0. This level is also more than 10 dB
  /// above the loudest echo that recent playback can cause.
  private func talkFrames(
    _ near: [Bool], _ muted: [Bool], echo: EchoReport, count: Int
  ) -> [Int] {
    let echoGain = echo.returnLoss.map { pow(10, -$0 / 10) } ?? 0
    return (0..<count).filter { index in
      guard near[index], !muted[index], energies[0][index] > pow(10, -4.5) else { return false }
      // The devices and the room can delay the echo by at most 0.5 s.
      let played = energies[3][max(0, index - 50)...index].max() ?? 0
      return energies[0][index] > 10 * echoGain * played
    }
  }

  /// The expected gain of the gain control in each of the frames, as a power ratio from 0.01 to 1.
  ///
  /// The gain control lowers loud talk on purpose. Therefore this gain does not count as a loss.
  /// The expected gain brings the talk in the seconds before and after the frame to a level of −18
  /// dB relative to an RMS of 1.0.
  private func expectedGains(_ frames: [Int]) -> [Double] {
    var (start, end, sum) = (0, 0, 0.0)
    return frames.map { frame in
      while end < frames.count && frames[end] <= frame + 100 {
        sum += energies[0][frames[end]]
        end += 1
      }
      while frames[start] < frame - 100 {
        sum -= energies[0][frames[start]]
        start += 1
      }
      return min(max(0.015_8 * Double(end - start) / sum, 0.01), 1)
    }
  }

  /// Whether each 10 ms frame is in one of the time spans.
  private static func frames(_ spans: [Range<Double>], count: Int) -> [Bool] {
    var frames = [Bool](repeating: false, count: count)
    for span in spans {
      let end = min(count, Int((span.upperBound * 100).rounded()))
      let start = min(end, Int(span.lowerBound * 100))
      for index in start..<end { frames[index] = true }
    }
    return frames
  }

  /// Converts frame indices to time spans in seconds. Gaps of up to 0.1 s are closed.
  private static func spans(_ frames: [Int]) -> [Range<Double>] {
    var spans: [Range<Int>] = []
    for frame in frames {
      if let last = spans.last, frame - last.upperBound <= 10 {
        spans[spans.count - 1] = last.lowerBound..<frame + 1
      } else {
        spans.append(frame..<frame + 1)
      }
    }
    return spans.map { Double($0.lowerBound) / 100..<Double($0.upperBound) / 100 }
  }

  private static func text(_ level: Double?) -> String {
    level.map { "\($0.text(places: 1)) dB" } ?? "none"
  }
}
