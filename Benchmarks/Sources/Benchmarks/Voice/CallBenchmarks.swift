import AllocationCount
import HearingAudio
import HearingDSP
import HearingVoice

/// The cost of ducking (lowering other audio) and of a whole call. The detectors and the echo
/// canceller have separate tables.
enum CallBenchmarks {
  static func run() throws {
    print("Calls: ns a frame, blocks of 512")
    var table = Table("what", "Hz", "at most", "best", "median", "allocations a call")
    for isMoving in [false, true] {
      let cost = try ducking(isMoving: isMoving)
      table.add(
        "ducking, stereo, gain \(isMoving ? "in transition" : "constant")", "48000", "6",
        cost.best.digits(2), cost.median.digits(2), cost.allocations.digits(2))
    }
    for rate in [16_000, 48_000] as [Double] {
      let cost = try suppression(rate)
      table.add(
        "noise suppressor alone", "\(Int(rate))", "–", cost.best.digits(1), cost.median.digits(1),
        cost.allocations.digits(2))
    }
    for rate in [16_000, 48_000] as [Double] {
      for isStereo in [false, true] {
        let cost = try call(rate, isStereo: isStereo)
        table.add(
          "whole call, \(isStereo ? "different" : "same") signals on both loudspeakers",
          "\(Int(rate))", "–", cost.best.digits(1), cost.median.digits(1),
          cost.allocations.digits(2))
      }
    }
    table.print()
    print("Memory of a whole call with a tail of 0.2 s, both ways of hosting: bytes")
    var memory = Table("Hz", "at most", "bytes")
    for rate in [8_000, 16_000, 48_000] as [Double] {
      memory.add("\(Int(rate))", "2097152", "\(try bytes(rate))")
    }
    memory.print()
  }

  private static func bytes(_ rate: Double) throws -> Int64 {
    let before = allocated_bytes()
    let processor = try VoiceProcessor(sampleRate: rate, echoTail: 0.2)
    processor.microphoneMode = .voiceIsolation
    let bytes = allocated_bytes() - before
    keep(processor)
    return bytes
  }

  private static let blockSize = 512
  private static let blockCount = 100

  private static func ducking(isMoving: Bool) throws -> Measurement {
    var ducker = try OtherAudioDucker(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2),
      configuration: OtherAudioDuckingConfiguration(enableAdvancedDucking: isMoving))
    let block = AudioBlock(channelCount: 2, capacity: blockSize)
    return Measurement.nanoseconds(operations: blockSize * blockCount) {
      for channel in 0..<2 { block.channels[channel].update(repeating: 1, count: blockSize) }
      for index in 0..<blockCount {
        // A new transition begins every 85 ms, before the previous transition has ended.
        if isMoving && index % 8 == 0 {
          ducker.isSomebodyTalking.toggle()
          ducker.configuration.enableAdvancedDucking.toggle()
        }
        ducker.process(block.channels, frameCount: blockSize)
      }
    }
  }

  private static func suppression(_ rate: Double) throws -> Measurement {
    var suppressor = try NoiseSuppressor(sampleRate: rate)
    var generator = SystemRandomNumberGenerator()
    let noise = (0..<blockSize).map { _ in Float.random(in: -0.05...0.05, using: &generator) }
    let block = AudioBlock(channelCount: 1, capacity: blockSize)
    return Measurement.nanoseconds(rounds: 9, operations: blockSize * blockCount) {
      for _ in 0..<blockCount {
        for frame in 0..<blockSize { block.channels[0][frame] = noise[frame] }
        suppressor.process(block.channels[0], frameCount: blockSize)
      }
    }
  }

  /// - Parameter isStereo: Whether the two channels of other audio differ.
  private static func call(_ rate: Double, isStereo: Bool) throws -> Measurement {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.otherAudioDucking.enableAdvancedDucking = true
    var generator = SystemRandomNumberGenerator()
    let blocks = (0..<3).map { index in
      let block = AudioBlock(channelCount: index == 2 ? 2 : 1, capacity: blockSize)
      block.frameCount = blockSize
      for channel in 0..<block.channelCount {
        for frame in 0..<blockSize {
          block.channels[channel][frame] =
            channel == 0 || isStereo
            ? Float.random(in: -0.05...0.05, using: &generator) : block.channels[0][frame]
        }
      }
      return block
    }
    let uplink = AudioBlock(channelCount: 1, capacity: blockSize)
    let playback = AudioBlock(channelCount: 2, capacity: blockSize)
    return Measurement.nanoseconds(rounds: 9, operations: blockSize * blockCount) {
      for _ in 0..<blockCount {
        processor.process(
          microphone: blocks[0], farVoice: blocks[1], otherAudio: blocks[2], uplink: uplink,
          playback: playback)
      }
    }
  }
}
