import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class SuppressionStageTests: XCTestCase {
  private let rate = 16_000.0

  private func stage(echo: Bool = false, noise: Float = 0) -> SuppressionStage {
    var stage = SuppressionStage(sampleRate: rate)
    stage.suppressesEcho = echo
    stage.noiseSuppression = noise
    return stage
  }

  func test_process_nothingToSuppress_changesNoBit() {
    var generator = SeededGenerator(seed: 63)
    let noise = Signals.noise(count: 4_000, using: &generator)
    var stage = stage()
    let result = TestRun.rendered(noise, through: &stage).samples
    XCTAssertEqual(Signals.bits(result), Signals.bits(noise))
    XCTAssertEqual(stage.latency, 0)
  }

  func test_process_steadyNoise_isReducedByTheStrengthTimes40Decibels() throws {
    try XCTSkipIf(Signals.isSanitized, "long signals take too long with a sanitizer")
    var generator = SeededGenerator(seed: 64)
    let noise = Signals.noise(count: 64_000, amplitude: 0.02, using: &generator)
    for strength in [0.25, 0.5, 1] {
      var stage = stage(noise: Float(strength))
      let result = TestRun.rendered(noise, through: &stage).samples
      let measured = Signals.rmsLevel(noise[32_000...]) - Signals.rmsLevel(result[32_000...])
      XCTAssertEqual(measured, 40 * strength, accuracy: 2, "strength \(strength)")
    }
  }

  func test_process_noiseThatBecomesLouder_isReducedByTheSameDecibels() throws {
    try XCTSkipIf(Signals.isSanitized, "long signals take too long with a sanitizer")
    var generator = SeededGenerator(seed: 67)
    let noise =
      Signals.noise(count: 48_000, amplitude: 0.005, using: &generator)
      + Signals.noise(count: 112_000, amplitude: 0.02, using: &generator)
    var stage = stage(noise: 1)
    let result = TestRun.rendered(noise, through: &stage).samples
    for span in [32_000..<48_000, 128_000..<160_000] {
      let reduction = Signals.rmsLevel(noise[span]) - Signals.rmsLevel(result[span])
      XCTAssertEqual(reduction, 40, accuracy: 2, "\(span)")
    }
  }

  /// An echo decision contains gains and a strength, which scales the gains. Without an echo
  /// decision, the stage does not change the samples.
  func test_process_echoGains_areAppliedWithTheirStrength() throws {
    let noise = Signals.sine(1_000, rate: rate, count: 8_000)
    let stride = ShortTimeFrames(sampleRate: rate).stride
    let (gains, residual) = (
      Row<Float>.filled(0.01, count: stride), Row<Float>.filled(0, count: stride)
    )
    defer {
      gains.deallocate(count: stride)
      residual.deallocate(count: stride)
    }
    for (isKnown, strength, expected) in [(true, 1, 40), (true, 0.5, 5.93), (false, 1, 0)] {
      var stage = stage(echo: true)
      stage.echoStrength = Float(strength)
      var decision = EchoDecision(gains: gains, residual: residual)
      decision.isEcho = true
      let result = TestRun.rendered(noise, through: &stage) { _, run in
        run.echoBefore = isKnown ? decision : nil
        run.echoAfter = run.echoBefore
      }.samples
      let reduction = Signals.rmsLevel(noise[4_000...]) - Signals.rmsLevel(result[4_000...])
      XCTAssertEqual(reduction, expected, accuracy: 0.1, "\(strength)")
    }
  }

  func test_process_anyRunLengths_giveTheSameBits() {
    let talk = SyntheticVoice.speech(seconds: 1, rate: rate)
    var generator = SeededGenerator(seed: 65)
    let noisy = zip(talk, Signals.noise(count: talk.count, amplitude: 0.01, using: &generator))
      .map { $0 + $1 }
    var results: [Signals.Bits] = []
    for runs in [[160], [80, 1, 79, 33]] {
      var stage = stage(noise: 1)
      results.append(Signals.bits(TestRun.rendered(noisy, through: &stage, runs: runs).samples))
    }
    XCTAssertEqual(results[0], results[1])
  }

  func test_noiseSuppression_switchedOnAndOff_makesNoClick() {
    let tone = Signals.sine(200, rate: rate, count: 32_000, amplitude: 0.3)
    var stage = stage()
    var samples = tone
    for part in 0..<8 {
      stage.noiseSuppression = part % 2 == 1 ? 0.1 : 0
      let range = part * 4_000..<(part + 1) * 4_000
      samples.replaceSubrange(
        range, with: TestRun.rendered(Array(tone[range]), through: &stage).samples)
    }
    // The largest difference between two samples of the tone is 0.024. A cross-fade adds up to
    // 0.6/160.
    for index in 1..<samples.count {
      XCTAssertLessThan(abs(samples[index] - samples[index - 1]), 0.04, "sample \(index)")
    }
  }

  /// Noise suppression is switched off and on again. Sound before this interval must have no effect
  /// after it.
  func test_noiseSuppression_switchedOnAgain_startsWithoutEarlierState() {
    var generator = SeededGenerator(seed: 68)
    let noise = Signals.noise(count: 24_000, amplitude: 0.02, using: &generator)
    var results: [Signals.Bits] = []
    for strengths in [[Float(1), 0, 1], [0, 0, 1]] {
      var stage = stage(echo: true)
      var output: [Float] = []
      for (part, strength) in strengths.enumerated() {
        stage.noiseSuppression = strength
        let samples = Array(noise[part * 8_000..<(part + 1) * 8_000])
        output = TestRun.rendered(samples, through: &stage).samples
      }
      results.append(Signals.bits(output))
    }
    XCTAssertEqual(results[0], results[1])
  }

  func test_reset_afterUse_behavesLikeANewInstance() {
    var generator = SeededGenerator(seed: 66)
    let noise = Signals.noise(count: 8_000, amplitude: 0.02, using: &generator)
    var stage = stage(echo: true, noise: 1)
    stage.addsComfortNoise = true
    let gains = OwnedRow<Float>.filled(0.1, count: 4_096)
    let residual = OwnedRow<Float>.filled(0, count: 4_096)
    func render() -> [Float] {
      TestRun.rendered(noise, through: &stage) { _, run in
        run.echoBefore = EchoDecision(gains: gains.row, residual: residual.row, isEcho: true)
        run.echoAfter = run.echoBefore
      }.samples
    }
    let first = render()
    stage.reset()
    XCTAssertEqual(Signals.bits(render()), Signals.bits(first))
  }
}
