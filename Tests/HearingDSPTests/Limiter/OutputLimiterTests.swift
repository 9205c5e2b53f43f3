import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

final class OutputLimiterTests: XCTestCase {
  private func limited(_ samples: [Float], _ limiter: inout OutputLimiter, ceiling: Float)
    -> [Float]
  {
    var samples = samples
    samples.withUnsafeMutableBufferPointer { buffer in
      limiter.process(buffer.row, count: buffer.count, ceiling: ceiling)
    }
    return samples
  }

  func test_process_softAfterLoud_holdsTheGainFor10ms_thenRecoversWithATimeConstantOf60ms() {
    var limiter = OutputLimiter(sampleRate: 48_000)
    XCTAssertEqual(limited([4], &limiter, ceiling: 1), [1])
    XCTAssertEqual(limiter.statistics.gain, 0.25, accuracy: 1e-6)
    let soft = Array(repeating: Float(0.5), count: 48_000)
    let output = limited(soft, &limiter, ceiling: 1)
    for index in 0..<480 { XCTAssertEqual(output[index], 0.125, accuracy: 1e-6) }
    // After one release time constant, 1/e of the gain reduction remains. After two time constants,
    // 1/e² remains.
    XCTAssertEqual(output[480 + 2_880] / 0.5, 1 - 0.75 * 0.3679, accuracy: 0.001)
    XCTAssertEqual(output[480 + 2 * 2_880] / 0.5, 1 - 0.75 * 0.1353, accuracy: 0.001)
    for (before, after) in zip(output, output.dropFirst()) {
      XCTAssertGreaterThanOrEqual(after, before)
      XCTAssertLessThan(after - before, 0.5 * 0.75 / 2_800)
    }
    XCTAssertEqual(output.last, 0.5)
    XCTAssertEqual(limiter.statistics.gain, 1)
  }

  func test_isNeeded_isTrueOnlyAboveTheCeilingOrWhileRecovering() {
    var limiter = OutputLimiter(sampleRate: 48_000)
    XCTAssertFalse(limiter.isNeeded(peak: 1, ceiling: 1))
    XCTAssertTrue(limiter.isNeeded(peak: 1.0001, ceiling: 1))
    _ = limited([2], &limiter, ceiling: 1)
    XCTAssertTrue(limiter.isNeeded(peak: 0, ceiling: 1))
    limiter.recover()
    XCTAssertFalse(limiter.isNeeded(peak: 1, ceiling: 1))
  }

  func test_process_countsTheSamplesWithGainReduction() {
    var limiter = OutputLimiter(sampleRate: 48_000)
    _ = limited([0.5, 2, 0.5], &limiter, ceiling: 1)
    XCTAssertEqual(limiter.statistics.limitedFrames, 2)
    XCTAssertEqual(limiter.statistics.minimumGain, 0.5, accuracy: 1e-6)
    limiter.reset()
    XCTAssertEqual(limiter.statistics.limitedFrames, 0)
    XCTAssertEqual(limiter.statistics.minimumGain, 1)
  }

  /// Compares two ways of processing: four samples at a time, and one sample at a time. The limiter
  /// processes four samples at a time if none of them lowers the gain or restarts the hold time.
  func test_process_inBlocks_isBitIdenticalToSingleSamples() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for ceiling in [Float(0.01), 1, 300] {
      // Loud and quiet bursts alternate, so that the limiter also holds and releases its gain. Some
      // peaks are slightly above or below the ceiling.
      var samples: [Float] = []
      var isLoud = false
      while samples.count < 20_000 {
        isLoud.toggle()
        let level = ceiling * Float.random(in: isLoud ? 0.9...2.5 : 0...0.95, using: &generator)
        let length = Int.random(in: 1...1_500, using: &generator)
        samples += (0..<length).map { _ in Float.random(in: -level...level, using: &generator) }
      }
      var single = OutputLimiter(sampleRate: 8_000, releaseTime: 0.005)
      var blocks = single
      let expected = samples.flatMap { limited([$0], &single, ceiling: ceiling) }
      var output: [Float] = []
      while output.count < samples.count {
        let count = min(Int.random(in: 1...300, using: &generator), samples.count - output.count)
        let part = Array(samples[output.count..<output.count + count])
        output += limited(part, &blocks, ceiling: ceiling)
      }
      XCTAssertEqual(Signals.bits(output), Signals.bits(expected))
      XCTAssertEqual(blocks.statistics.limitedFrames, single.statistics.limitedFrames)
      XCTAssertEqual(blocks.statistics.minimumGain, single.statistics.minimumGain)
      XCTAssertEqual(blocks.statistics.gain, single.statistics.gain)
      XCTAssertGreaterThan(single.statistics.limitedFrames, 500)
      XCTAssertLessThan(single.statistics.limitedFrames, 19_000)
    }
  }

  func test_follow_returnsTheSameGainsThatProcessApplies() {
    var generator = SeededGenerator(seed: 3)
    let samples = Signals.noise(count: 5_000, amplitude: 3, using: &generator)
    var alone = OutputLimiter(sampleRate: 48_000)
    let expected = limited(samples, &alone, ceiling: 1)
    var shared = OutputLimiter(sampleRate: 48_000)
    var gains = samples.map { abs($0) * LevelRatio.inverse(of: 1) }
    gains.withUnsafeMutableBufferPointer { shared.follow($0.row, count: $0.count) }
    for index in samples.indices {
      XCTAssertEqual(max(-1, min(1, samples[index] * gains[index])), expected[index])
    }
  }

  func test_process_samplesAtTheCeiling_passUnchanged() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<10_000 {
      let ceiling = Float(pow(10, Double.random(in: -12...12, using: &generator)))
      var limiter = OutputLimiter(sampleRate: 48_000)
      XCTAssertEqual(
        limited([ceiling, -ceiling], &limiter, ceiling: ceiling), [ceiling, -ceiling])
      XCTAssertEqual(limiter.statistics.limitedFrames, 0)
      XCTAssertLessThanOrEqual(limited([ceiling.nextUp], &limiter, ceiling: ceiling)[0], ceiling)
    }
  }

  func test_limitedFrames_afterOnePeak_countOnlyFramesReducedByMoreThanHalfADecibel() {
    var limiter = OutputLimiter(sampleRate: 48_000)
    _ = limited([1.2] + Array(repeating: 0.1, count: 96_000), &limiter, ceiling: 1)
    // The gain reduction is 1.58 dB at first and stays so for a hold time of 10 ms. After that, it
    // decays with a time constant of 60 ms. It reaches 0.5 dB after ln(0.1667 / 0.0559) = 1.092
    // time constants.
    let seconds = 0.010 + 0.060 * 1.092
    XCTAssertEqual(Double(limiter.statistics.limitedFrames) / 48_000, seconds, accuracy: 0.002)
  }
}
