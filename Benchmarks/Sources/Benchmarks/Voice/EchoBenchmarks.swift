import Foundation
import HearingAudio
import HearingDSP
import HearingVoice

/// The cost of the echo canceller for several sample rates, tails (durations of the echo) and block
/// sizes. Another function cancels the echo in a file.
struct EchoBenchmarks {
  /// Prints the cost of cancelling delayed noise.
  static func run() throws {
    print("Echo canceller: ns a sample (and CPU seconds a second of sound)")
    var table = Table(
      "sample rate", "tail", "block", "best", "median", "CPU s/s", "worst block / median")
    for rate in [16_000.0, 48_000] {
      for tail in [0.128, 0.192] {
        for block in [64, Int(rate / 100), 4_096] {
          let cost = try cost(rate: rate, tail: tail, block: block)
          table.add(
            "\(Int(rate))", "\(tail)", "\(block)", cost.frame.best.digits(1),
            cost.frame.median.digits(1), (cost.frame.median * rate / 1e9).digits(5),
            cost.worst.digits(1))
        }
      }
    }
    table.print()
  }

  private static func cost(
    rate: Double, tail: Double, block: Int
  ) throws -> (frame: Measurement, worst: Double) {
    var canceller = try EchoCanceller(sampleRate: rate, tail: tail)
    var generator = SystemRandomNumberGenerator()
    let count = 65_536 / block * block
    let noise = (0..<count).map { _ in Float.random(in: -0.1...0.1, using: &generator) }
    let delayed = Array(repeating: 0, count: 50) + noise.dropLast(50)
    let signals = AudioBlock([delayed, noise])
    let microphone = AudioBlock(channelCount: 1, capacity: block)
    let samples = microphone.channels[0]
    func render(_ body: (_ start: Int) -> Void) {
      for start in stride(from: 0, to: count, by: block) {
        samples.update(from: signals.channels[0] + start, count: block)
        body(start)
      }
    }
    let frame = Measurement.nanoseconds(rounds: 21, operations: count) {
      render { start in
        canceller.process(samples, reference: signals.channels[1] + start, frameCount: block)
      }
    }
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 0..<4 {
      render { start in
        let time = clock.measure {
          canceller.process(samples, reference: signals.channels[1] + start, frameCount: block)
        }
        times.append(time / .nanoseconds(1))
      }
    }
    times.sort()
    return (frame, (times.last ?? 0) / times[times.count / 2])
  }

  /// Cancels the echo of one file in another file and writes the result. Prints the CPU time per
  /// sample.
  ///
  /// - Parameter arguments: `MIC.wav REF.wav OUT.wav [TAIL]`; all files have one channel.
  static func cancel(_ arguments: [String]) throws {
    let microphone = try WAVReader(path: arguments[0])
    let rate = microphone.sampleRate
    let signals = AudioBlock([
      try microphone.readSamples()[0], try WAVReader(path: arguments[1]).readSamples()[0],
    ])
    let tail = arguments.count > 3 ? Double(arguments[3]) : nil
    var canceller = try EchoCanceller(sampleRate: rate, tail: tail ?? 0.192)
    let before = clock()
    for start in stride(from: 0, to: signals.frameCount, by: 160) {
      canceller.process(
        signals.channels[0] + start, reference: signals.channels[1] + start,
        frameCount: min(160, signals.frameCount - start))
    }
    let seconds = Double(clock() - before) / Double(CLOCKS_PER_SEC)
    let writer = try WAVWriter(
      path: arguments[2],
      format: WAVFormat(sampleRate: Int(rate), channelCount: 1, encoding: .float32))
    try writer.write(signals.channels, frameCount: signals.frameCount)
    try writer.finish()
    print("\((seconds * 1e9 / Double(signals.frameCount)).digits(1)) ns a sample")
  }
}
