import Foundation

/// Measures the speed of each chain (settings of a processor, with a block size). Prints one line
/// per chain with the shortest CPU time.
///
/// A run is short, so that runs of two builds can alternate. The script `compare-renderings.py`
/// uses the minimum of many runs.
struct SpeedRun {
  /// Only chains with this text in their name are timed. If the text is empty, all chains are
  /// timed.
  private let text: String

  init(only text: String) {
    self.text = text
  }

  func run() throws {
    let sound = Sound(seconds: 2, sampleRate: 48_000)
    for block in [1, 64, 512, 4_096] {
      try measure("linear, block \(block)", sound, .linear, block: block)
      try measure("compressing, block \(block)", sound, .compressing, block: block)
    }
    for block in [64, 512] {
      try measure(
        "compressing with limiter, block \(block)", sound, .compressing, block: block, ceiling: 88,
        minimumLimited: 0.4)
      try measure(
        "compressing with look-ahead limiter, block \(block)", sound, .compressing, block: block,
        ceiling: 88, lookAhead: 0.002, isLinked: true, minimumLimited: 0.4)
      try measure(
        "compressing, interleaved, block \(block)", sound, .compressing, block: block,
        isInterleaved: true)
      try measure("linear, mono, block \(block)", sound, .linear, block: block, channelCount: 1)
    }
    try measureTransition("linear in transition, block 64", sound, .linear)
    try measureTransition("compressing in transition, block 64", sound, .compressing)
    for rate in [16_000.0, 48_000] {
      try measureCall("voice processor at \(Int(rate)) Hz, 10 ms", sampleRate: rate)
    }
  }

  private let passes = 12

  /// Speech-like noise in two channels. It consists of syllables.
  private struct Sound {
    let block: SampleBlock
    let frameCount: Int
    let sampleRate: Double

    init(seconds: Double, sampleRate: Double) {
      self.sampleRate = sampleRate
      frameCount = Int(seconds * sampleRate) / 4_096 * 4_096
      block = SampleBlock(channelCount: 2, capacity: frameCount)
      for channel in 0..<2 {
        var source = TestSound(.speech, sampleRate: sampleRate, seed: UInt64(channel + 1))
        source.fill(block.channels[channel], count: frameCount)
      }
    }
  }

  private func settings(
    _ chain: SettingsPlan.Chain, _ channelCount: Int, _ ceiling: Double, tilt: Double = 1
  ) -> SettingsPlan {
    var generator = SeededGenerator(seed: 1)
    var plan = SettingsPlan(
      chain, channelCount: channelCount, bandCount: 10, ceiling: ceiling, &generator)
    for channel in 0..<channelCount {
      plan.curves[channel] = (1...10).map { band in
        switch chain {
        case .linear: .init(points: [(0, tilt * Double(band))])
        default: .init(points: [(20, tilt * 17), (40, tilt * 37), (105, tilt * -6.5)])
        }
      }
    }
    return plan
  }

  private func processor(
    _ channelCount: Int, lookAhead: Double = 0, isLinked: Bool = false
  ) throws -> ProcessorUnderTest {
    try ProcessorUnderTest(
      .init(
        sampleRate: 48_000, channelCount: channelCount, layout: .audiometric,
        lookAhead: lookAhead, isLinked: isLinked))
  }

  private func measure(
    _ name: String, _ sound: Sound, _ chain: SettingsPlan.Chain, block size: Int,
    channelCount: Int = 2, ceiling: Double = 130, lookAhead: Double = 0, isLinked: Bool = false,
    isInterleaved: Bool = false, minimumLimited: Double? = nil
  ) throws {
    guard isChosen(name) else { return }
    let processor = try processor(channelCount, lookAhead: lookAhead, isLinked: isLinked)
    try processor.apply(settings(chain, channelCount, ceiling))
    let block = SampleBlock(channelCount: channelCount, capacity: size)
    let frames = SampleBlock(channelCount: 1, capacity: size * channelCount)
    // Blocks of one frame are slow, so they have more but shorter passes.
    let (count, passes) = size == 1 ? (4_096, 4 * passes) : (sound.frameCount, passes)
    func pass(_ processor: ProcessorUnderTest?) {
      for start in stride(from: 0, to: count, by: size) {
        if isInterleaved {
          let samples = frames.channels[0]
          for channel in 0..<channelCount {
            let source = sound.block.channels[channel] + start
            for index in 0..<size { samples[index * channelCount + channel] = source[index] }
          }
          processor?.processInterleaved(samples, frameCount: size)
        } else {
          for channel in 0..<channelCount {
            block.channels[channel].update(
              from: sound.block.channels[channel] + start, count: size)
          }
          processor?.process(block.channels, frameCount: size)
        }
      }
    }
    let copying = minimumTime(of: passes) { pass(nil) }
    let all = minimumTime(of: passes) { pass(processor) }
    if let minimumLimited {
      let fraction = processor.limitedFraction(of: (passes + 1) * count)
      precondition(
        fraction >= minimumLimited, "\(name): the limiter is active in \(fraction) of the frames")
    }
    report(name, (all - copying) / Double(count), "ns a frame")
  }

  /// Applies settings that change the gains by up to 20 dB, each time after the previous transition
  /// has ended. The time for applying settings is not included.
  private func measureTransition(
    _ name: String, _ sound: Sound, _ chain: SettingsPlan.Chain
  ) throws {
    guard isChosen(name) else { return }
    let (size, interval) = (64, 960)
    let processor = try processor(2)
    let block = SampleBlock(channelCount: 2, capacity: size)
    var best = Double.infinity
    for _ in 0..<passes {
      var total = 0.0
      var count = 0
      for (index, start) in stride(from: 0, to: sound.frameCount - interval, by: interval)
        .enumerated()
      {
        try processor.apply(settings(chain, 2, 130, tilt: index % 2 == 0 ? 1 : 0.2))
        let before = now()
        for position in stride(from: start, to: start + interval, by: size) {
          for channel in 0..<2 {
            block.channels[channel].update(
              from: sound.block.channels[channel] + position, count: size)
          }
          processor.process(block.channels, frameCount: size)
        }
        total += now() - before
        count += interval
      }
      best = min(best, total / Double(count))
    }
    report(name, best, "ns a frame")
  }

  /// Times a call in blocks of 10 ms: talk at both ends, music, and an echo of the far talk.
  private func measureCall(_ name: String, sampleRate: Double) throws {
    guard isChosen(name) else { return }
    let call = try CallUnderTest(
      sampleRate: sampleRate, farChannelCount: 1, far: nil, hasStage: false, tail: 0.192)
    call.setDetecting(true)
    call.setDucking(isAdvanced: true, level: 0)
    let size = Int(sampleRate / 100)
    let blockCount = 200
    let count = size * blockCount
    let (near, far) = (
      SampleBlock(channelCount: 1, capacity: count), SampleBlock(channelCount: 1, capacity: count)
    )
    var talker = TalkSound(sampleRate: sampleRate, seed: 1)
    talker.fill(near.channels[0], count: count)
    talker = TalkSound(sampleRate: sampleRate, seed: 2)
    talker.fill(far.channels[0], count: count)
    let delay = size
    for frame in delay..<count {
      near.channels[0][frame] += 0.3 * far.channels[0][frame - delay]
    }
    let music = Sound(seconds: 1, sampleRate: 48_000)
    func block(_ channelCount: Int) -> SampleBlock {
      SampleBlock(channelCount: channelCount, capacity: size)
    }
    let (microphone, farVoice, otherAudio) = (block(1), block(1), block(2))
    let (uplink, playback) = (block(1), block(2))
    var best = Double.infinity
    for _ in 0..<4 {
      let before = now()
      for index in 0..<blockCount {
        let start = index * size
        microphone.channels[0].update(from: near.channels[0] + start, count: size)
        farVoice.channels[0].update(from: far.channels[0] + start, count: size)
        for channel in 0..<2 {
          otherAudio.channels[channel].update(
            from: music.block.channels[channel] + start % (music.frameCount - size), count: size)
        }
        call.process(
          microphone: microphone, farVoice: farVoice, otherAudio: otherAudio, uplink: uplink,
          playback: playback, frameCount: size)
      }
      best = min(best, now() - before)
    }
    report(name, best / Double(blockCount) / 1_000, "µs a block")
  }

  /// The minimum time of several calls of `body` in ns. An additional call before them is not
  /// timed.
  private func minimumTime(of passes: Int, _ body: () -> Void) -> Double {
    body()
    var best = Double.infinity
    for _ in 0..<passes {
      let before = now()
      body()
      best = min(best, now() - before)
    }
    return best
  }

  /// The thread's CPU time in ns.
  private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  private func isChosen(_ name: String) -> Bool {
    text.isEmpty || name.contains(text)
  }

  private func report(_ name: String, _ value: Double, _ unit: String) {
    print("\(name)\t\(value)\t\(unit)")
  }
}
