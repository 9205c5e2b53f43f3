/// One rendering by a ``ProcessorUnderTest``. Sound, block sizes and changes of settings are
/// derived from one seed.
struct ProcessorCase {
  enum Entry: String, CaseIterable {
    case planar, interleaved, both
  }

  var name: String
  var plan: ProcessorUnderTest.Plan
  var chain = SettingsPlan.Chain.linear
  var blocks = BlockSizes.mixed(2_048)
  var seconds = 0.25
  var entry = Entry.planar
  var programme = TestSound.Programme.everything
  var ceiling = 105.0
  /// The mean time in seconds between changes of settings; nil for no changes.
  var changeInterval: Double?
  var changes = SettingsPlan.Change.allCases
  /// The mean time in seconds between invalid samples; nil for no invalid samples.
  var breakInterval: Double?
  var resets = false
  /// Whether all channels get the same sound.
  var isCommonSound = false

  func render(into record: inout CaseRecord) throws {
    var generator = SeededGenerator(name: name)
    let processor = try ProcessorUnderTest(plan)
    var settings = SettingsPlan(
      chain, channelCount: plan.channelCount, bandCount: processor.bandCount, ceiling: ceiling,
      &generator)
    if generator.chance(0.9) { try apply(settings, processor, &record) }
    let seed = generator.next()
    var sounds = (0..<plan.channelCount).map { channel in
      TestSound(
        programme, sampleRate: plan.sampleRate, seed: isCommonSound ? seed : seed &+ UInt64(channel)
      )
    }
    let block = SampleBlock(
      channelCount: plan.channelCount, capacity: blocks.maximum,
      offset: generator.integer(0...3))
    let frames = SampleBlock(
      channelCount: 1, capacity: blocks.maximum * plan.channelCount,
      offset: generator.integer(0...3))
    let end = Int(seconds * plan.sampleRate)
    var position = 0
    var nextChange = changeInterval.map { wait($0, &generator) } ?? .max
    var nextBreak = breakInterval.map { wait($0, &generator) } ?? .max
    var nextReset = resets ? wait(seconds / 2, &generator) : .max
    var nextPoll = 0
    var (hasLimited, hasRecovered) = (false, false)
    while position < end {
      while position >= nextChange {
        settings.make(generator.pick(changes), chain: chain, &generator)
        try apply(settings, processor, &record)
        nextChange += wait(changeInterval ?? 1, &generator)
        if generator.chance(0.1) { nextChange = min(nextChange, position) }
      }
      if position >= nextReset {
        processor.reset()
        record.coverage.resets += 1
        nextReset += wait(seconds / 2, &generator)
      }
      let count = blocks.next(&generator)
      for channel in sounds.indices { sounds[channel].fill(block.channels[channel], count: count) }
      if position + count > nextBreak {
        record.coverage.brokenSamples += BrokenSample.add(
          to: block.channels, channelCount: plan.channelCount, frameCount: count, &generator)
        nextBreak = position + count + wait(breakInterval ?? 1, &generator)
      }
      render(block, frames, count, processor, &generator, &record)
      position += count
      if position >= nextPoll {
        processor.addLevels(to: &record)
        nextPoll = position + 48
        let activity = processor.limiterActivity
        hasLimited = hasLimited || activity.wasActive
        hasRecovered = hasRecovered || (hasLimited && !activity.isActive)
      }
    }
    processor.addLevels(to: &record)
    if hasLimited { record.coverage.limitedCases += 1 }
    if hasRecovered { record.coverage.recoveredCases += 1 }
  }

  private func render(
    _ block: SampleBlock, _ frames: SampleBlock, _ count: Int, _ processor: ProcessorUnderTest,
    _ generator: inout SeededGenerator, _ record: inout CaseRecord
  ) {
    let isInterleaved =
      switch entry {
      case .planar: false
      case .interleaved: true
      case .both: generator.chance(0.5)
      }
    guard isInterleaved else {
      block.setGuards(frameCount: count)
      processor.process(block.channels, frameCount: count)
      record.addOutput(block.rows, frameCount: count)
      block.addGuards(to: &record.output, frameCount: count)
      return
    }
    let stride = plan.channelCount
    let samples = frames.channels[0]
    for channel in 0..<stride {
      for frame in 0..<count { samples[frame * stride + channel] = block.channels[channel][frame] }
    }
    frames.setGuards(frameCount: count * stride)
    processor.processInterleaved(samples, frameCount: count)
    for channel in 0..<stride {
      for frame in 0..<count { block.channels[channel][frame] = samples[frame * stride + channel] }
    }
    record.addOutput(block.rows, frameCount: count)
    frames.addGuards(to: &record.output, frameCount: count * stride)
  }

  private func apply(
    _ settings: SettingsPlan, _ processor: ProcessorUnderTest, _ record: inout CaseRecord
  ) throws {
    try processor.apply(settings)
    processor.addControl(to: &record)
    record.coverage.settingsApplied += 1
  }

  /// A random number of frames until the next event: 0.5 to 1.5 times the mean time.
  private func wait(_ seconds: Double, _ generator: inout SeededGenerator) -> Int {
    max(1, Int(seconds * generator.number(0.5, 1.5) * plan.sampleRate))
  }
}
