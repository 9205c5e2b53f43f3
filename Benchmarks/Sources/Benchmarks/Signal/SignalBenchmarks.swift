import HearingAudio
import HearingDSP

/// The cost of rendering for several block sizes, numbers of bands and numbers of channels.
struct SignalBenchmarks {
  /// The input: noise, or the samples of a file.
  private let sound: [[Float]]
  private let sampleRate: Double

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
    print("Signal plane: ns per frame (and CPU seconds per second of sound)")
    var table = Table(
      "chain", "bands", "channels", "block", "at most", "best", "median", "CPU s/s")
    for chain in RenderedChain.allCases {
      for bands in [4, 10, 32] {
        for channels in [1, 2, 8] {
          for block in [1, 64, 512, 4_096] {
            let cost = try chain.cost(
              of: sound, sampleRate: sampleRate, bands: bands, channels: channels, block: block)
            table.add(
              chain.rawValue, "\(bands)", "\(channels)", "\(block)",
              bands == 10 && channels == 2 ? chain.limit(block: block) : "–",
              cost.best.digits(2), cost.median.digits(2),
              (cost.median * sampleRate / 1e9).digits(6))
          }
        }
      }
    }
    table.print()
    try publishing()
    try BlockTimes.print(sampleRate: sampleRate)
    FilterFormTable.print()
    try MemoryTable.print()
    try InputOutputTable.print()
  }

  private func publishing() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let settings = try (0..<2).map { step in
      let curves = try (0..<10).map { band in
        try BandCurve(points: [
          .init(level: 20, gain: Double(band)), .init(level: 45, gain: Double(20 + band + step)),
          .init(level: 100, gain: 0),
        ])
      }
      return ProcessorSettings(curves: [curves, curves])
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
      "publishing compressing settings: \((cost.best / 1_000).digits(2)) µs best, "
        + "\((cost.median / 1_000).digits(2)) µs median (at most 20)")
  }
}
