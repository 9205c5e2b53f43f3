/// One call: two talkers, music, and an echo path from loudspeaker to microphone.
struct CallCase {
  var name: String
  var sampleRate: Double
  var farChannelCount = 1
  /// The look-ahead in seconds of the processor for the voice from the other end; nil for no
  /// processor.
  var farLookAhead: Double?
  var hasStage = false
  var tail = 0.192
  var blocks: BlockSizes
  var seconds = 10.0
  /// Whether outputs are written to the memory of the inputs.
  var isInPlace = false
  var breaksSamples = false
  var resets = false
  /// Whether the events are read from the ring buffer only at the end.
  var drainsLate = false

  func render(into record: inout CaseRecord) throws {
    var generator = SeededGenerator(name: name)
    let far = try farProcessor(&generator, &record)
    let call = try CallUnderTest(
      sampleRate: sampleRate, farChannelCount: farChannelCount, far: far, hasStage: hasStage,
      tail: tail)
    // The delay of the echo path is at least one block. Therefore the sound that is played in a
    // block reaches the microphone in a later block.
    let delay = Int(0.05 * sampleRate)
    let size = min(delay, blocks.maximum)
    var room = [Float](repeating: 0, count: delay)
    var roomIndex = 0
    var echoGain: Float = 0.3
    func block(_ channelCount: Int) -> SampleBlock {
      SampleBlock(channelCount: channelCount, capacity: size, offset: 1)
    }
    let (microphone, farVoice, otherAudio) = (block(1), block(farChannelCount), block(2))
    let uplink = isInPlace ? microphone : block(1)
    let playback = isInPlace ? otherAudio : block(2)
    var nearTalker = TalkSound(sampleRate: sampleRate, seed: generator.next())
    var farTalkers = (0..<farChannelCount).map { _ in
      TalkSound(sampleRate: sampleRate, seed: generator.next())
    }
    let musicSeed = generator.next()
    var music = (0..<2).map {
      TestSound(.speech, sampleRate: sampleRate, seed: musicSeed &+ UInt64($0))
    }
    var (isMuted, isDetecting) = (false, false)
    let end = Int(seconds * sampleRate)
    var position = 0
    var nextChange = Int(generator.number(0.2, 1) * sampleRate)
    var nextReset = resets ? end / 2 : .max
    while position < end {
      if position >= nextChange {
        switch generator.integer(0...5) {
        case 0, 1:
          isMuted.toggle()
          call.setMuted(isMuted)
        case 2:
          isDetecting.toggle()
          call.setDetecting(isDetecting)
        case 3: echoGain = Float(generator.number(0.05, 0.6))
        default:
          call.setDucking(isAdvanced: generator.chance(0.7), level: generator.integer(0...3))
        }
        nextChange += Int(generator.number(0.1, 1.5) * sampleRate)
      }
      if position >= nextReset {
        call.reset()
        record.coverage.resets += 1
        nextReset = .max
      }
      let count = min(size, blocks.next(&generator))
      nearTalker.fill(microphone.channels[0], count: count)
      for channel in farTalkers.indices {
        farTalkers[channel].fill(farVoice.channels[channel], count: count)
      }
      for channel in music.indices {
        music[channel].fill(otherAudio.channels[channel], count: count)
        for frame in 0..<count { otherAudio.channels[channel][frame] *= 0.3 }
      }
      for frame in 0..<count {
        microphone.channels[0][frame] += echoGain * room[(roomIndex + frame) % delay]
      }
      if breaksSamples && generator.chance(0.01) {
        for (block, channelCount) in [
          (microphone, 1), (farVoice, farChannelCount), (otherAudio, 2),
        ] {
          record.coverage.brokenSamples += BrokenSample.add(
            to: block.channels, channelCount: channelCount, frameCount: count, &generator)
        }
      }
      uplink.setGuards(frameCount: count)
      playback.setGuards(frameCount: count)
      call.process(
        microphone: microphone, farVoice: farVoice, otherAudio: otherAudio, uplink: uplink,
        playback: playback, frameCount: count)
      record.addOutput(uplink.rows + playback.rows, frameCount: count)
      uplink.addGuards(to: &record.output, frameCount: count)
      playback.addGuards(to: &record.output, frameCount: count)
      for frame in 0..<count {
        room[roomIndex] = 0.5 * (playback.channels[0][frame] + playback.channels[1][frame])
        roomIndex = (roomIndex + 1) % delay
      }
      call.addState(to: &record)
      if !drainsLate { call.drainEvents(to: &record) }
      position += count
    }
    call.drainEvents(to: &record)
  }

  private func farProcessor(
    _ generator: inout SeededGenerator, _ record: inout CaseRecord
  ) throws -> ProcessorUnderTest? {
    guard let farLookAhead else { return nil }
    let processor = try ProcessorUnderTest(
      .init(
        sampleRate: sampleRate, channelCount: 2, layout: .audiometric, lookAhead: farLookAhead,
        isLinked: true))
    try processor.apply(
      SettingsPlan(
        .compressing, channelCount: 2, bandCount: processor.bandCount, ceiling: 90, &generator))
    record.coverage.settingsApplied += 1
    return processor
  }
}
