import BenchmarkSupport
import Foundation
import HearingAudio
import HearingDSP
import HearingVoice

/// Runs calls in every microphone mode while settings change. Uses the API for one thread or for
/// two threads.
enum RandomCalls {
  private static let modes: [MicrophoneMode] = [
    .bypass, .linear, .wideSpectrum, .standard, .voiceIsolation,
    MicrophoneMode(noiseSuppression: 1), MicrophoneMode(controlsGain: true),
  ]

  /// - Returns: The number of rendered frames.
  static func run(seed: UInt64) throws -> Int {
    var random = RandomNumbers(seed: seed)
    var frames = 0
    for rate in [8_000.0, 16_000, 44_100, 48_000, 96_000] where isSupported(rate) {
      for mode in modes { frames += try run(mode, rate: rate, &random) }
    }
    return frames
  }

  private static func isSupported(_ rate: Double) -> Bool {
    (try? VoiceProcessor(sampleRate: rate)) != nil
  }

  private static func run(
    _ mode: MicrophoneMode, rate: Double, _ random: inout RandomNumbers
  ) throws -> Int {
    let stage = UplinkStage { _, samples, count in
      for index in 0..<count { samples[index] *= 0.5 }
    }
    let listener = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 2),
      layout: BandLayout.audiometric.limited(to: rate) ?? .audiometric)
    let processor = try VoiceProcessor(
      sampleRate: rate, farProcessor: listener, uplinkStages: [stage])
    processor.microphoneMode = mode
    let near = AudioBlock(channelCount: 1, capacity: 2_048)
    let far = AudioBlock(channelCount: 1, capacity: 2_048)
    let other = AudioBlock(channelCount: 2, capacity: 2_048)
    let uplink = AudioBlock(channelCount: 1, capacity: 2_048)
    let playback = AudioBlock(channelCount: 2, capacity: 2_048)
    let isOneThread = random.isLucky()
    var frames = 0
    for _ in 0..<Int(rate) / 1_024 {
      let count = random.element([1, 63, 160, 480, 2_048])
      for block in [near, far, other] {
        block.frameCount = count
        let amplitude = random.element([Float(0), 0.001, 0.1, 1])
        for channel in 0..<block.channelCount {
          for frame in 0..<count {
            block.channels[channel][frame] = amplitude * .random(in: -1...1, using: &random)
          }
        }
      }
      if random.count(0...20) == 0 { near.channels[0][0] = .nan }
      processor.isMuted = random.count(0...3) == 0
      processor.otherAudioDucking = OtherAudioDuckingConfiguration(
        enableAdvancedDucking: random.isLucky())
      if random.count(0...9) == 0 { processor.microphoneMode = random.element(modes) }
      if isOneThread {
        realtime {
          processor.process(
            microphone: near, farVoice: far, otherAudio: other, uplink: uplink, playback: playback)
        }
      } else {
        realtime {
          processor.render(farVoice: far, otherAudio: other, playback: playback)
          processor.capture(microphone: near, uplink: uplink)
        }
      }
      frames += count
    }
    realtime { processor.reset() }
    return frames
  }
}
