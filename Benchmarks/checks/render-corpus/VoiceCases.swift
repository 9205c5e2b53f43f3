/// The cases of the corpus for the voice path: calls, and each stage of a call alone.
enum VoiceCases {
  private static let rates: [Double] = [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000]

  static var all: [CorpusCase] {
    calls + cancellers + detectors + duckers + events
  }

  private static var calls: [CorpusCase] {
    var cases: [CallCase] = []
    for rate in rates {
      for (index, blocks) in [
        BlockSizes.fixed(Int(rate / 100)), .fixed(64), .mixed(4_096), .fixed(4_096), .mixed(32),
      ].enumerated() {
        let lookAheads: [Double?] = [nil, 0, 0.002]
        cases.append(
          CallCase(
            name: "call/\(Int(rate))/\(index)", sampleRate: rate,
            farChannelCount: 1 + index % 2, farLookAhead: lookAheads[index % 3],
            hasStage: index % 2 == 1, tail: [0.064, 0.192, 0.5][index % 3], blocks: blocks,
            seconds: rate > 30_000 ? 8 : 16, isInPlace: index > 2, breaksSamples: index == 2,
            resets: index == 3, drainsLate: index == 1))
      }
    }
    return cases.map { call in CorpusCase(name: call.name) { try call.render(into: &$0) } }
  }

  private static var cancellers: [CorpusCase] {
    var cases: [CorpusCase] = []
    for rate in rates {
      for tail in [0.064, 0.128, 0.192, 0.5] {
        for (index, blocks) in [BlockSizes.fixed(Int(rate / 100)), .mixed(8_192)].enumerated() {
          let name = "canceller/\(Int(rate))/\(tail)/\(index)"
          cases.append(
            CorpusCase(name: name) {
              try cancel(&$0, name, rate, tail, blocks)
            })
        }
      }
    }
    return cases
  }

  /// Cases of the echo canceller: far talk with a changing echo path, double talk, silence, invalid
  /// samples, and a reset.
  private static func cancel(
    _ record: inout CaseRecord, _ name: String, _ rate: Double, _ tail: Double,
    _ blocks: BlockSizes
  ) throws {
    var generator = SeededGenerator(name: name)
    let canceller = try CancellerUnderTest(sampleRate: rate, tail: tail)
    let microphone = SampleBlock(channelCount: 1, capacity: blocks.maximum, offset: 1)
    let reference = SampleBlock(channelCount: 1, capacity: blocks.maximum, offset: 2)
    var near = TalkSound(sampleRate: rate, seed: generator.next())
    var far = TalkSound(sampleRate: rate, seed: generator.next())
    var room = [Float](repeating: 0, count: Int(0.25 * rate))
    var slot = 0
    var taps: [(delay: Int, gain: Float)] = []
    let end = Int(5 * rate)
    var position = 0
    var nextRoom = 0
    var nextReset = end * 4 / 5
    while position < end {
      if position >= nextRoom {
        taps = (0..<12).map { index in
          (
            Int(generator.number(0.002, 0.06 + 0.01 * Double(index)) * rate),
            Float(generator.number(-0.3, 0.3))
          )
        }
        nextRoom += Int(2 * rate)
      }
      if position >= nextReset {
        canceller.reset()
        record.coverage.resets += 1
        nextReset = .max
      }
      let count = blocks.next(&generator)
      far.fill(reference.channels[0], count: count)
      near.fill(microphone.channels[0], count: count)
      let isDoubleTalk = position > Int(1.2 * rate)
      for frame in 0..<count {
        if position + frame > Int(3.5 * rate) && position + frame < Int(3.8 * rate) {
          reference.channels[0][frame] = 0
        }
        room[slot] = reference.channels[0][frame]
        var echo: Float = 0
        for tap in taps { echo += tap.gain * room[(slot + room.count - tap.delay) % room.count] }
        let voice = isDoubleTalk ? microphone.channels[0][frame] : 0
        microphone.channels[0][frame] = voice + echo + 1e-4 * generator.noise()
        slot = (slot + 1) % room.count
      }
      if position > Int(2.5 * rate) && generator.chance(0.02) {
        for block in [microphone, reference] {
          record.coverage.brokenSamples += BrokenSample.add(
            to: block.channels, channelCount: 1, frameCount: count, &generator)
        }
      }
      microphone.setGuards(frameCount: count)
      canceller.process(microphone, reference: reference, frameCount: count)
      record.addOutput(microphone.rows, frameCount: count)
      microphone.addGuards(to: &record.output, frameCount: count)
      position += count
    }
  }

  private static var detectors: [CorpusCase] {
    var cases: [CorpusCase] = []
    for rate in rates + [24_000, 47_999.5] {
      for (index, blocks) in [BlockSizes.fixed(Int(rate / 100)), .mixed(2_048), .fixed(1)]
        .enumerated()
      {
        for isBroken in [false, true] {
          let name = "detector/\(rate)/\(index)/\(isBroken ? "broken" : "clean")"
          cases.append(CorpusCase(name: name) { try detect(&$0, name, rate, blocks, isBroken) })
        }
      }
    }
    return cases
  }

  /// Cases of the voice detector: talk in quiet and in noise, and every other kind of sound.
  private static func detect(
    _ record: inout CaseRecord, _ name: String, _ rate: Double, _ blocks: BlockSizes,
    _ isBroken: Bool
  ) throws {
    var generator = SeededGenerator(name: name)
    let detector = try DetectorUnderTest(sampleRate: rate)
    let talk = SampleBlock(channelCount: 1, capacity: blocks.maximum)
    let other = SampleBlock(channelCount: 1, capacity: blocks.maximum)
    var talker = TalkSound(sampleRate: rate, seed: generator.next())
    var sound = TestSound(.everything, sampleRate: rate, seed: generator.next())
    let end = Int(12 * rate)
    var position = 0
    while position < end {
      let count = blocks.next(&generator)
      talker.fill(talk.channels[0], count: count)
      sound.fill(other.channels[0], count: count)
      let mix: Float = position < end / 3 ? 0 : position < end * 2 / 3 ? 0.01 : 0.5
      for frame in 0..<count {
        talk.channels[0][frame] += mix * other.channels[0][frame]
      }
      if isBroken && generator.chance(0.003) {
        record.coverage.brokenSamples += BrokenSample.add(
          to: talk.channels, channelCount: 1, frameCount: count, &generator)
      }
      if isBroken && position < end / 2 && position + count >= end / 2 {
        detector.reset()
        record.coverage.resets += 1
      }
      detector.process(talk, frameCount: count, into: &record)
      position += count
    }
  }

  private static var duckers: [CorpusCase] {
    var cases: [CorpusCase] = []
    for rate in [8_000.0, 16_000, 32_000, 44_100, 48_000, 96_000, 192_000] {
      for channels in [1, 2, 3, 8] {
        for (index, blocks) in [BlockSizes.fixed(64), .mixed(8_192)].enumerated() {
          let name = "ducker/\(Int(rate))/\(channels)/\(index)"
          cases.append(CorpusCase(name: name) { try duck(&$0, name, rate, channels, blocks) })
        }
      }
    }
    return cases
  }

  /// Cases of the ducker: voices start and stop, and the configuration changes.
  private static func duck(
    _ record: inout CaseRecord, _ name: String, _ rate: Double, _ channelCount: Int,
    _ blocks: BlockSizes
  ) throws {
    var generator = SeededGenerator(name: name)
    let ducker = try DuckerUnderTest(sampleRate: rate, channelCount: channelCount)
    let block = SampleBlock(channelCount: channelCount, capacity: blocks.maximum, offset: 1)
    var sounds = (0..<channelCount).map { _ in
      TestSound(.everything, sampleRate: rate, seed: generator.next())
    }
    let end = Int(6 * rate)
    var position = 0
    var nextChange = 0
    var isTalking = false
    while position < end {
      if position >= nextChange {
        if generator.chance(0.7) {
          isTalking.toggle()
          ducker.setTalking(isTalking)
        } else if generator.chance(0.9) {
          ducker.setDucking(isAdvanced: generator.chance(0.7), level: generator.integer(0...3))
        } else {
          ducker.reset()
          record.coverage.resets += 1
        }
        nextChange += Int(generator.logarithmic(0.02, 2.5) * rate)
      }
      let count = blocks.next(&generator)
      for channel in sounds.indices { sounds[channel].fill(block.channels[channel], count: count) }
      block.setGuards(frameCount: count)
      ducker.process(block, frameCount: count)
      record.addOutput(block.rows, frameCount: count)
      block.addGuards(to: &record.output, frameCount: count)
      ducker.addState(to: &record)
      position += count
    }
  }

  /// Cases of the ring buffer for events. Some ring buffers are read in time, and some overflow.
  private static var events: [CorpusCase] {
    [1, 2, 3, 8, 64].map { capacity in
      let name = "events/\(capacity)"
      return CorpusCase(name: name) { record in
        var generator = SeededGenerator(name: name)
        let ring = EventsUnderTest(capacity: capacity)
        for frame in 0..<20_000 {
          ring.publish(
            kind: UInt32(generator.integer(0x200...0x208)), frame: Int64(frame),
            value: generator.number(-1, 1))
          if generator.chance(1.5 / Double(capacity)) { ring.drain(to: &record) }
        }
        ring.drain(to: &record)
      }
    }
  }
}
