import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests the estimate of the residual echo power. Runs only in release builds.
final class EchoCancellerResidualTests: XCTestCase {
  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "long signals take too long with a sanitizer")
  }

  /// The mean power of each block of 128 frames, which is the internal block size of the canceller
  /// at 16 kHz.
  private func powers(_ samples: [Float]) -> [Double] {
    stride(from: 0, to: samples.count - 127, by: 128).map {
      Signals.power(samples[$0..<$0 + 128])
    }
  }

  func test_residualEchoPower_farVoiceOnly_isAnUpperBound() throws {
    for (seed, delay) in [(31, 0), (32, 0.02), (33, 0.05), (34, 0.06)] {
      var generator = SeededGenerator(seed: UInt64(seed))
      let scene = EchoScene(rate: 16_000, seconds: 15, delay: delay, using: &generator)
      var canceller = try EchoCanceller(sampleRate: 16_000)
      let result = scene.cancelled(by: &canceller, blocks: [128])
      let left = powers(scene.far.indices.map { result.output[$0] - scene.noise[$0] })
      let echo = powers(scene.echo)
      let loudest = echo.max() ?? 0
      let spoken = left.indices.filter { echo[$0] > loudest * 1e-5 }
      let held = spoken.filter { Double(result.residuals[$0]) >= left[$0] }
      let fraction = Double(held.count) / Double(spoken.count)
      // If the residual echo is more than 3 dB above the estimate, it would be detected as a muted
      // talker.
      let output = powers(result.output)
      let mistaken = spoken.filter { output[$0] > 2 * Double(result.residuals[$0]) }
      print(
        "delay \(delay) s: an upper bound in \(fraction) of \(spoken.count) blocks, "
          + "\(mistaken.count) look like near talk")
      XCTAssertGreaterThanOrEqual(fraction, 0.99)
      XCTAssertLessThan(Double(mistaken.count), 0.01 * Double(spoken.count))
    }
  }

  func test_residualEchoPower_nearTalkAsLoudAsTheEcho_exceedsTheEstimate() throws {
    var generator = SeededGenerator(seed: 35)
    let scene = EchoScene(rate: 16_000, seconds: 16, talk: 6..<16, using: &generator)
    var canceller = try EchoCanceller(sampleRate: 16_000)
    let result = scene.cancelled(by: &canceller, blocks: [128])
    let (near, output) = (powers(scene.near), powers(result.output))
    let loudest = near.max() ?? 0
    let talking = near.indices.filter { near[$0] > loudest * 1e-2 }
    let seen = talking.filter { output[$0] > 2 * Double(result.residuals[$0]) }
    let fraction = Double(seen.count) / Double(talking.count)
    print("near talk is 3 dB above the estimate in \(fraction) of its blocks, in double talk")
    XCTAssertGreaterThan(fraction, 0.5)
  }

  func test_residualEchoPower_afterTheFarVoice_decays() throws {
    var generator = SeededGenerator(seed: 9)
    var scene = EchoScene(rate: 16_000, seconds: 8, using: &generator)
    for index in 80_000..<scene.far.count {
      scene.far[index] = 0
      scene.echo[index] = 0
    }
    var canceller = try EchoCanceller(sampleRate: 16_000)
    let result = scene.cancelled(by: &canceller, blocks: [160])
    let echo = Float(Signals.power(scene.echo[64_000..<80_000]))
    XCTAssertLessThan(result.residuals[600], echo * 1e-3)
    XCTAssertLessThan(result.residuals[799], echo * 1e-6)
  }
}
