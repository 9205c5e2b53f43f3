import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

final class NoiseSuppressorTests: XCTestCase {
  func test_process_impulse_isDelayedByTheReportedLatency() throws {
    for rate in [8_000.0, 16_000, 44_100, 48_000] {
      var suppressor = try NoiseSuppressor(sampleRate: rate)
      let count = Int(rate / 2)
      var samples = Signals.silence(count)
      samples[count / 2] = 0.5
      samples.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        suppressor.process(start, frameCount: count)
      }
      let peak = samples.indices.max { abs(samples[$0]) < abs(samples[$1]) }
      XCTAssertEqual(peak, count / 2 + suppressor.latency, "\(rate) Hz")
    }
  }

  func test_process_strengthOfZero_changesNoBit() throws {
    var suppressor = try NoiseSuppressor(sampleRate: 16_000)
    suppressor.strength = 0
    var generator = SeededGenerator(seed: 67)
    let noise = Signals.noise(count: 3_000, using: &generator)
    var samples = noise
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      suppressor.process(start, frameCount: 3_000)
    }
    XCTAssertEqual(Signals.bits(samples), Signals.bits(noise))
    XCTAssertEqual(suppressor.latency, 0)
  }

  func test_process_invalidSamples_giveFiniteOutput() throws {
    var suppressor = try NoiseSuppressor(sampleRate: 16_000)
    var generator = SeededGenerator(seed: 68)
    var samples = Signals.noise(count: 16_000, amplitude: 0.1, using: &generator)
    for (index, value) in [Float.nan, .infinity, -1e30, .leastNonzeroMagnitude].enumerated() {
      samples[1_000 * (index + 1)] = value
    }
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      suppressor.process(start, frameCount: 16_000)
    }
    XCTAssertTrue(samples.allSatisfy { abs($0) < 1 })
  }
}
