import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class ShortTimeFramesTests: XCTestCase {
  /// The signal after analysis and synthesis. Between analysis and synthesis, the spectra are not
  /// changed.
  private func passed(_ signal: [Float], rate: Double, blocks: [Int]) -> [Float] {
    var frames = ShortTimeFrames(sampleRate: rate)
    var samples = signal
    samples.withUnsafeMutableBufferPointer { buffer in
      let start = buffer.row
      var (done, turn) = (0, 0)
      while done < signal.count {
        let count = min(
          blocks[turn % blocks.count], frames.hop - frames.filled, signal.count - done)
        if frames.exchange(start.from(done), count: count) {
          frames.analyze()
          frames.synthesize()
        }
        done += count
        turn += 1
      }
    }
    return samples
  }

  func test_synthesize_unchangedSpectra_delaysTheSignalByAtMost10Milliseconds() {
    var generator = SeededGenerator(seed: 61)
    for rate in [8_000.0, 16_000, 24_000, 44_100, 48_000] {
      let signal = Signals.noise(count: 3_000, using: &generator)
      let latency = ShortTimeFrames.latency(sampleRate: rate)
      XCTAssertLessThanOrEqual(Double(latency) / rate, 0.01)
      let result = passed(signal, rate: rate, blocks: [1_000])
      for index in latency..<3_000 {
        XCTAssertEqual(result[index], signal[index - latency], accuracy: 1e-4, "\(rate) Hz")
      }
      XCTAssertEqual(
        Signals.bits(passed(signal, rate: rate, blocks: [1, 17, 90])), Signals.bits(result))
    }
  }

  func test_analyze_noise_powersSumToTheMeanSquare() {
    var generator = SeededGenerator(seed: 62)
    var frames = ShortTimeFrames(sampleRate: 16_000)
    var noise = Signals.noise(count: 80, amplitude: 0.2, using: &generator)
    var sums: [Double] = []
    for _ in 0..<400 {
      noise = Signals.noise(count: 80, amplitude: 0.2, using: &generator)
      noise.withUnsafeMutableBufferPointer { buffer in
        let start = buffer.row
        _ = frames.exchange(start, count: 80)
      }
      frames.analyze()
      sums.append(
        (0..<frames.bins).reduce(0.0) { sum, bin in
          let (x, y) = (frames.spectra.real[bin], frames.spectra.imaginary[bin])
          return sum + Double(x * x + y * y)
        })
      frames.synthesize()
    }
    let mean = sums.dropFirst(10).reduce(0, +) / Double(sums.count - 10)
    XCTAssertEqual(10 * log10(mean / (0.04 / 3)), 0, accuracy: 0.3)
  }
}
