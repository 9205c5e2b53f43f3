import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

final class EchoCancellerRobustnessTests: XCTestCase {
  private let broken: [Float] = [
    .nan, .infinity, -.infinity, 1e30, -.greatestFiniteMagnitude, 1_001,
  ]

  func test_process_invalidSamples_countAsSilence() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let count = Signals.isSanitized ? 3_000 : 40_000
    var canceller = try EchoCanceller(sampleRate: 8_000)
    var reference = Signals.noise(count: count, using: &generator)
    var microphone = reference.map { 0.5 * $0 }
    var (silencedReference, silenced) = (reference, microphone)
    for _ in 0..<count / 100 {
      let (one, other) = (
        Int.random(in: 0..<count, using: &generator), Int.random(in: 0..<count, using: &generator)
      )
      reference[one] = broken.randomElement(using: &generator) ?? .nan
      microphone[other] = broken.randomElement(using: &generator) ?? .nan
      (silencedReference[one], silenced[other]) = (0, 0)
    }
    canceller.cancel(&microphone, reference: reference)
    canceller.reset()
    canceller.cancel(&silenced, reference: silencedReference)
    XCTAssertEqual(Signals.bits(microphone), Signals.bits(silenced))
    XCTAssertLessThan(Signals.peak(microphone), 1)
  }

  func test_process_afterInvalidSamples_cancelsEchoAsBefore() throws {
    try XCTSkipIf(Signals.isSanitized, "long signals take too long with a sanitizer")
    var generator = SeededGenerator(seed: 12)
    var scene = EchoScene(rate: 16_000, seconds: 10, using: &generator)
    let spoilt = 64_000..<65_600
    for index in spoilt {
      scene.far[index] = .nan
      scene.noise[index] = .infinity
    }
    var canceller = try EchoCanceller(sampleRate: 16_000)
    let result = scene.cancelled(by: &canceller)
    let (before, after) = (result.enhancement(3, 4), result.enhancement(6, 8))
    print("before broken samples \(before) dB, two seconds after them \(after) dB")
    XCTAssertGreaterThan(after, before - 3)
  }

  func test_process_samplesFarAboveFullScale_staysFinite_andCancelsEchoAfterwards() throws {
    try XCTSkipIf(Signals.isSanitized, "long signals take too long with a sanitizer")
    var generator = SeededGenerator(seed: 13)
    var scene = EchoScene(rate: 16_000, seconds: 10, using: &generator)
    for index in 64_000..<64_100 {
      scene.far[index] = 900
      scene.noise[index] = -900
    }
    var canceller = try EchoCanceller(sampleRate: 16_000)
    let result = scene.cancelled(by: &canceller)
    XCTAssertTrue(result.output.allSatisfy { $0.isFinite && abs($0) < 2_000 })
    XCTAssertGreaterThan(result.enhancement(8, 10), 20)
  }

  func test_process_tenSecondsOfSilence_outputsSilence_andKeepsTheFilter() throws {
    try XCTSkipIf(Signals.isSanitized, "long signals take too long with a sanitizer")
    var generator = SeededGenerator(seed: 14)
    var scene = EchoScene(rate: 16_000, seconds: 20, using: &generator)
    for index in 80_000..<240_000 {
      scene.far[index] = 0
      scene.echo[index] = 0
      scene.noise[index] = 0
    }
    var canceller = try EchoCanceller(sampleRate: 16_000)
    let result = scene.cancelled(by: &canceller)
    XCTAssertTrue(result.output[96_000..<240_000].allSatisfy { $0 == 0 })
    let (before, after) = (result.enhancement(4, 5), result.enhancement(15, 16))
    print("before ten silent seconds \(before) dB, after them \(after) dB")
    // A canceller that starts without a filter reduces the echo by only 5…15 dB in its first
    // second.
    XCTAssertGreaterThan(after, 20)
  }

  func test_process_silentMicrophoneDuringPlayback_outputsSilence() throws {
    // The loudspeaker plays, but the microphone delivers digital silence. Therefore the output must
    // be digital silence.
    var generator = SeededGenerator(seed: 15)
    let count = Signals.isSanitized ? 2_000 : 30_000
    var canceller = try EchoCanceller(sampleRate: 8_000)
    var output = Signals.silence(count)
    canceller.cancel(&output, reference: Signals.noise(count: count, using: &generator))
    XCTAssertLessThan(Signals.peak(output), 1e-6)
  }

  func test_process_extremeTailLengthsAndSampleRates_cancelsMoreThan20DecibelsOfEcho() throws {
    try XCTSkipIf(Signals.isSanitized, "long signals take too long with a sanitizer")
    for (rate, tail) in [(8_000.0, 0.064), (8_000, 0.5), (11_025, 0.1), (48_000, 0.5)] {
      var generator = SeededGenerator(seed: 16)
      let scene = EchoScene(rate: rate, seconds: 5, reverberation: 0.1, using: &generator)
      var canceller = try EchoCanceller(sampleRate: rate, tail: tail)
      let result = scene.cancelled(by: &canceller)
      print("\(rate) Hz, tail \(tail) s: \(result.enhancement(3, 5)) dB")
      XCTAssertGreaterThan(result.enhancement(3, 5), 20, "\(rate) \(tail)")
    }
  }
}
