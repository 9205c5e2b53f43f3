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

  func test_process_noiseFromTheFirstSample_isSuppressedFromTheFirstSample() throws {
    let rate = 16_000.0
    var suppressor = try NoiseSuppressor(sampleRate: rate)
    let noise = Signals.noise(count: 1_600, amplitude: 0.05, seed: 95)
    for _ in 0..<2 {
      let output = Signals.processed(noise) { suppressor.process($0, frameCount: $1) }
      XCTAssertLessThan(Signals.peak(output[..<160]), 0.005)
      let reduction = Signals.rmsLevel(noise) - Signals.rmsLevel(output[160..<480])
      XCTAssertGreaterThan(reduction, 18)
      suppressor.reset()
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

  func test_reset_afterUse_behavesLikeANewInstance_butKeepsTheStrength() throws {
    var suppressor = try NoiseSuppressor(sampleRate: 16_000)
    suppressor.strength = 0.7
    func output(_ sound: [Float]) -> Signals.Bits {
      Signals.bits(Signals.processed(sound) { suppressor.process($0, frameCount: $1) })
    }
    let noise = Signals.noise(count: 4_000, seed: 69)
    suppressor.reset()
    let first = output(noise)
    _ = output(SyntheticVoice.speech(seconds: 0.3, rate: 16_000))
    suppressor.reset()
    XCTAssertEqual(suppressor.strength, 0.7, accuracy: 1e-6)
    XCTAssertEqual(output(noise), first)
  }

  func test_process_invalidSamples_countAsSilence() throws {
    var generator = SeededGenerator(seed: 68)
    var invalid = Signals.noise(count: 16_000, amplitude: 0.1, using: &generator)
    var silenced = invalid
    for (index, value) in [Float.nan, .infinity, -1e30, -.infinity, 16.01].enumerated() {
      invalid[1_000 * (index + 1)] = value
      silenced[1_000 * (index + 1)] = 0
    }
    let outputs = try [invalid, silenced].map { samples in
      var suppressor = try NoiseSuppressor(sampleRate: 16_000)
      var output = samples
      output.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        suppressor.process(start, frameCount: 16_000)
      }
      return output
    }
    XCTAssertEqual(Signals.bits(outputs[0]), Signals.bits(outputs[1]))
    XCTAssertTrue(outputs[0].allSatisfy { abs($0) < 1 })
    XCTAssertGreaterThan(Signals.peak(outputs[0]), 1e-3)
  }
}
