import Foundation
import HearingAudio
import HearingDSP

/// Measures the processing time of each block in ten minutes of sound. On a render thread, the
/// slowest block is the most important, because it can interrupt the sound.
///
/// The time is measured with the thread's CPU clock, which stops while another thread uses the
/// core. This clock still includes interrupts, and cache misses that other programs cause.
/// Therefore the same sound is rendered several times. A block counts as slow only if it is slow
/// every time.
struct BlockTimes {
  static let blockSize = 64
  private static let seconds = 600.0
  private static let passes = 5

  /// The times of all blocks in the first pass in ns, sorted.
  private var times: [Double] = []
  /// The time of the slowest block in ns. The time of a block is the minimum over all passes.
  private var recurringWorst = 0.0
  private var interruptions = 0

  static func print(sampleRate: Double) throws {
    Swift.print(
      "Single blocks of \(blockSize), ten bands, stereo, \(Int(seconds / 60)) minutes of sound:",
      "ns of CPU time")
    var table = Table(
      "chain", "median", "99.9 %", "worst", "worst / median", "worst in all of \(passes) passes",
      "that / median (at most 3)", "thread interrupted")
    for chain in [RenderedChain.linear, .compression] {
      for interval in [nil, 1.0] {
        let result = try BlockTimes(chain, settingsEvery: interval, sampleRate: sampleRate)
        let name = interval == nil ? chain.rawValue : "\(chain.rawValue), settings every second"
        table.add(
          name, result.quantile(0.5).digits(0), result.quantile(0.999).digits(0),
          result.quantile(1).digits(0), (result.quantile(1) / result.quantile(0.5)).digits(2),
          result.recurringWorst.digits(0),
          (result.recurringWorst / result.quantile(0.5)).digits(2), "\(result.interruptions)")
      }
    }
    table.print()
  }

  private init(
    _ chain: RenderedChain, settingsEvery interval: Double?, sampleRate: Double
  ) throws {
    let processor = try chain.processor(bands: 10, channels: 2, sampleRate: sampleRate)
    let settings = try [1, 0.5].map {
      try chain.settings(layout: processor.layout, channels: 2, intensity: $0)
    }
    let source = AudioBlock(Self.syllables(sampleRate: sampleRate))
    let block = AudioBlock(channelCount: 2, capacity: Self.blockSize)
    block.frameCount = Self.blockSize
    let count = Int(Self.seconds * sampleRate) / Self.blockSize
    let blocksBetween = interval.map { Int($0 * sampleRate) / Self.blockSize } ?? .max
    let clockCost = Self.clockCost()
    var fastest = Array(repeating: Double.infinity, count: count)
    let before = Self.involuntarySwitches()
    for pass in 0..<Self.passes {
      try processor.apply(settings[0])
      processor.reset()
      for index in 0..<count {
        if index % blocksBetween == blocksBetween - 1 {
          try processor.apply(settings[1 - index / blocksBetween % 2])
        }
        let position = index * Self.blockSize % (source.frameCount - Self.blockSize)
        for channel in 0..<2 {
          block.channels[channel].update(
            from: source.channels[channel] + position, count: Self.blockSize)
        }
        let start = Self.now()
        processor.process(block)
        fastest[index] = min(fastest[index], Self.now() - start - clockCost)
      }
      if pass == 0 { times = fastest.sorted() }
    }
    interruptions = Self.involuntarySwitches() - before
    recurringWorst = fastest.max() ?? 0
  }

  private func quantile(_ fraction: Double) -> Double {
    times[Int(fraction * Double(times.count - 1))]
  }

  /// Ten seconds of noise in bursts of syllable length, with pauses of digital silence.
  private static func syllables(sampleRate: Double) -> [[Float]] {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      (0..<Int(10 * sampleRate)).map { index in
        let time = Double(index) / sampleRate
        let envelope = time.truncatingRemainder(dividingBy: 5) < 1 ? 0 : max(0, sin(25 * time))
        return Float(envelope) * Float.random(in: -0.3...0.3, using: &generator)
      }
    }
  }

  /// The CPU time of this thread in ns.
  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// The cost of reading the clock in ns.
  private static func clockCost() -> Double {
    var costs = (0..<10_001).map { _ in
      let start = now()
      return now() - start
    }
    costs.sort()
    return costs[costs.count / 2]
  }

  /// The number of involuntary context switches of this thread so far; 0 if the number is unknown.
  private static func involuntarySwitches() -> Int {
    let status = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first {
      $0.hasPrefix("nonvoluntary_ctxt_switches:")
    }
    return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0
  }
}
