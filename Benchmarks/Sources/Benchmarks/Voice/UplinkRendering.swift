import Foundation
import HearingAudio
import HearingVoice

/// Renders the uplink of a call (the sound that is sent to the other end) from files.
enum UplinkRendering {
  /// Renders a microphone file while another file is played. Prints the processor time per 10 ms.
  ///
  /// - Parameter arguments: `MODE MIC.wav REF.wav OUT.wav`. The reference has one or two channels.
  ///   MODE is linear, echo (only the removal of echo and rumble), wideSpectrum, standard,
  ///   voiceIsolation, bypass, noise (only noise suppression, at full strength) or gain (only gain
  ///   control).
  static func render(_ arguments: [String]) throws {
    let modes: [String: MicrophoneMode] = [
      "linear": .linear,
      "echo": MicrophoneMode(
        cancelsEcho: true, suppressesResidualEcho: true, removesRumble: true),
      "wideSpectrum": .wideSpectrum, "standard": .standard,
      "voiceIsolation": .voiceIsolation, "bypass": .bypass,
      "noise": MicrophoneMode(noiseSuppression: 1),
      "gain": MicrophoneMode(controlsGain: true),
    ]
    guard let mode = modes[arguments[0]] else {
      let known = modes.keys.sorted().joined(separator: ", ")
      throw BenchmarkFailure.usage("MODE: \"\(arguments[0])\" is not one of \(known)")
    }
    let microphone = try WAVReader(path: arguments[1])
    let rate = microphone.sampleRate
    let heard = AudioBlock([try microphone.readSamples()[0]])
    let played = AudioBlock(try WAVReader(path: arguments[2]).readSamples())
    let processor = try VoiceProcessor(
      sampleRate: rate, farChannelCount: min(2, played.channelCount))
    processor.microphoneMode = mode
    let size = Int(rate / 100)
    let near = AudioBlock(channelCount: 1, capacity: size)
    let far = AudioBlock(channelCount: processor.farChannelCount, capacity: size)
    let other = AudioBlock(channelCount: 2, capacity: size)
    let uplink = AudioBlock(channelCount: 1, capacity: size)
    let playback = AudioBlock(channelCount: 2, capacity: size)
    for block in [near, far, other] { block.frameCount = size }
    for channel in 0..<2 { other.channels[channel].update(repeating: 0, count: size) }
    let count = min(heard.frameCount, played.frameCount) / size * size
    let ofUplink = try uplinkSeconds(mode, rate, heard: heard, played: played, frameCount: count)
    let before = clock()
    for start in stride(from: 0, to: count, by: size) {
      near.channels[0].update(from: heard.channels[0] + start, count: size)
      for channel in 0..<far.channelCount {
        far.channels[channel].update(from: played.channels[channel] + start, count: size)
      }
      processor.process(
        microphone: near, farVoice: far, otherAudio: other, uplink: uplink, playback: playback)
      (heard.channels[0] + start).update(from: uplink.channels[0], count: size)
    }
    let seconds = Double(clock() - before) / Double(CLOCKS_PER_SEC)
    let writer = try WAVWriter(
      path: arguments[3],
      format: WAVFormat(sampleRate: Int(rate), channelCount: 1, encoding: .float32))
    try writer.write(heard.channels, frameCount: count)
    try writer.finish()
    let microseconds = 1e6 / Double(max(1, count / size))
    print(
      "\((seconds * microseconds).digits(1)) µs for 10 ms, "
        + "uplink alone \((ofUplink * microseconds).digits(1))")
  }

  /// The processor time in seconds for the uplink alone. Only `capture` is timed. `render` is
  /// called before each call of `capture`, because the uplink needs the playback.
  private static func uplinkSeconds(
    _ mode: MicrophoneMode, _ rate: Double, heard: AudioBlock, played: AudioBlock, frameCount: Int
  ) throws -> Double {
    let processor = try VoiceProcessor(
      sampleRate: rate, farChannelCount: min(2, played.channelCount))
    processor.microphoneMode = mode
    let size = Int(rate / 100)
    let other = AudioBlock(channelCount: 2, capacity: size)
    let uplink = AudioBlock(channelCount: 1, capacity: size)
    let playback = AudioBlock(channelCount: 2, capacity: size)
    let far = AudioBlock(channelCount: processor.farChannelCount, capacity: size)
    for channel in 0..<2 { other.channels[channel].update(repeating: 0, count: size) }
    var spent: clock_t = 0
    for start in stride(from: 0, to: frameCount, by: size) {
      for channel in 0..<far.channelCount {
        far.channels[channel].update(from: played.channels[channel] + start, count: size)
      }
      processor.render(
        farVoice: far.channels, otherAudio: other.channels, playback: playback.channels,
        frameCount: size)
      let before = clock()
      processor.capture(
        microphone: heard.channels[0] + start, uplink: uplink.channels[0], frameCount: size)
      spent += clock() - before
    }
    return Double(spent) / Double(CLOCKS_PER_SEC)
  }
}
