import HearingAudio
import HearingDSP

/// What rendering costs, by block size, number of bands and number of channels.
struct SignalBenchmarks {
  /// What is rendered: speech-like noise, or the file given.
  let sound: [[Float]]
  let sampleRate: Double

  init(path: String?) throws {
    if let path {
      let reader = try WAVReader(path: path)
      sound = try reader.readSamples()
      sampleRate = reader.sampleRate
    } else {
      var generator = SystemRandomNumberGenerator()
      sound = (0..<2).map { _ in
        (0..<480_000).map { _ in Float.random(in: -0.05...0.05, using: &generator) }
      }
      sampleRate = 48_000
    }
  }

  func run() throws {
    print("Signal plane: ns a frame (and CPU seconds a second of sound), linear gains")
    var table = Table(
      "bands", "channels", "block", "at most", "best", "median", "CPU s/s", "worst block / median")
    for (layout, name) in [(BandLayout.audiometric, "10"), (.thirdOctave, "third-octave")] {
      for channels in [1, 2, 8] where layout == .audiometric || channels == 2 {
        for block in [1, 64, 512, 4_096] {
          let cost = try linear(layout: layout, channels: channels, block: block)
          let limit = limit(layout: layout, channels: channels, block: block)
          table.add(
            name, "\(channels)", "\(block)", limit, cost.frame.best.digits(2),
            cost.frame.median.digits(2), (cost.frame.median * sampleRate / 1e9).digits(6),
            cost.worstBlock.digits(2))
        }
      }
    }
    table.print()
    try publishing()
  }

  private func limit(layout: BandLayout, channels: Int, block: Int) -> String {
    guard layout == .audiometric, channels == 2 else { return "–" }
    return block == 1 ? "100" : "10"
  }

  private struct Cost {
    let frame: Measurement
    let worstBlock: Double
  }

  private func linear(layout: BandLayout, channels: Int, block size: Int) throws -> Cost {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: sampleRate, channelCount: channels), layout: layout)
    let gains = layout.centers.indices.map { 20 * Double($0 + 1) / Double(layout.centers.count) }
    try processor.apply(ProcessorSettings(gains: (0..<channels).map { _ in gains }))
    let source = AudioBlock((0..<channels).map { sound[$0 % sound.count] })
    let frames = min(source.frameCount, size == 1 ? 48_000 : 480_000) / size * size
    let block = AudioBlock(channelCount: channels, capacity: size)
    block.frameCount = size
    var worst: [Double] = []
    let clock = ContinuousClock()
    // The copy into the block stands for the host that fills it; it is timed apart and taken off.
    func render(_ process: Bool) {
      var position = 0
      while position < frames {
        for channel in 0..<channels {
          block.channels[channel].update(from: source.channels[channel] + position, count: size)
        }
        if process { processor.process(block) }
        position += size
      }
    }
    let copying = Measurement.nanoseconds(rounds: 7, operations: frames) { render(false) }
    let all = Measurement.nanoseconds(rounds: 7, operations: frames) { render(true) }
    for _ in 0..<min(20_000, frames / size) {
      block.channels[0].update(from: source.channels[0], count: size)
      let time = clock.measure { processor.process(block) }
      worst.append(time / .nanoseconds(1))
    }
    worst.sort()
    return Cost(
      frame: Measurement(
        best: all.best - copying.best, median: all.median - copying.median, allocations: 0),
      worstBlock: (worst.last ?? 0) / worst[worst.count / 2])
  }

  private func publishing() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let settings = (0..<2).map { step in
      ProcessorSettings(gains: (0..<2).map { _ in (0..<10).map { Double($0 * 2 + step) } })
    }
    var step = 0
    var failure: (any Error)?
    let cost = Measurement.nanoseconds(operations: 200) {
      for _ in 0..<200 {
        step += 1
        do { try processor.apply(settings[step % 2]) } catch { failure = error }
      }
    }
    if let failure { throw failure }
    print(
      "publishing settings: \((cost.best / 1_000).digits(2)) µs best, "
        + "\((cost.median / 1_000).digits(2)) µs median (at most 20)")
  }
}
