import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

final class EchoCancellerTests: XCTestCase {
  private func failure(_ rate: Double, _ tail: Double) -> VoiceFailure? {
    do {
      _ = try EchoCanceller(sampleRate: rate, tail: tail)
      return nil
    } catch {
      return error
    }
  }

  func test_init_unsupportedValue_throwsWithTheValue() {
    XCTAssertEqual(failure(7_999, 0.1), .sampleRateOutOfRange(7_999, supported: 8_000...96_000))
    XCTAssertEqual(failure(96_001, 0.1), .sampleRateOutOfRange(96_001, supported: 8_000...96_000))
    XCTAssertNotNil(failure(.infinity, 0.1))
    XCTAssertNotNil(failure(.nan, 0.1))
    XCTAssertEqual(failure(16_000, 0.063), .tailOutOfRange(0.063))
    XCTAssertEqual(failure(16_000, 0.51), .tailOutOfRange(0.51))
    XCTAssertNotNil(failure(16_000, .nan))
    for rate in [8_000.0, 11_025, 22_050, 44_100, 48_000] {
      for tail in [0.064, 0.5] { XCTAssertNil(failure(rate, tail)) }
    }
  }

  func test_failure_description_isOneLineWithTheValue() {
    XCTAssertEqual(
      VoiceFailure.sampleRateOutOfRange(7, supported: 8_000...96_000).description,
      "the sample rate must be 8000…96000 Hz, not 7.0")
    XCTAssertEqual(
      VoiceFailure.tailOutOfRange(2).description,
      "the echo's tail must be 0.064…0.5 s, not 2.0")
  }

  func test_process_silentReference_passesTheMicrophoneUnchanged() throws {
    var generator = SeededGenerator(seed: 5)
    var canceller = try EchoCanceller(sampleRate: 8_000)
    let noise = Signals.noise(count: 2_000, using: &generator)
    var output = noise
    canceller.cancel(&output, reference: Signals.silence(2_000))
    XCTAssertEqual(Signals.bits(output), Signals.bits(noise))
  }

  func test_process_firstBlock_passesUnchangedWithoutDelay() throws {
    // Before the canceller has adapted, its output equals its input and has no delay.
    var canceller = try EchoCanceller(sampleRate: 8_000)
    var microphone = Signals.silence(64)
    microphone[3] = 0.5
    let reference = Signals.sine(500, rate: 8_000, count: 64)
    var output = microphone
    canceller.cancel(&output, reference: reference)
    XCTAssertEqual(output, microphone)
  }

  func test_process_anyBlockSizes_giveTheSameBits() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for rate in Signals.isSanitized ? [8_000.0] : [8_000, 16_000, 44_100, 48_000] {
      let seconds = Signals.isSanitized ? 0.4 : 3
      let scene = EchoScene(
        rate: rate, seconds: seconds, talk: seconds / 2..<seconds, using: &generator)
      var expected: Signals.Bits?
      for blocks in [[4_096], [1], [64], [3, 0, 500, 1, 77]] {
        var canceller = try EchoCanceller(sampleRate: rate)
        let bits = Signals.bits(scene.cancelled(by: &canceller, blocks: blocks).output)
        if let expected {
          XCTAssertEqual(bits, expected, "blocks of \(blocks)")
        } else {
          expected = bits
        }
      }
    }
  }

  func test_reset_afterUse_behavesLikeANewInstance() throws {
    var generator = SeededGenerator(seed: 6)
    let scene = EchoScene(
      rate: 8_000, seconds: Signals.isSanitized ? 0.3 : 3, using: &generator)
    var canceller = try EchoCanceller(sampleRate: 8_000)
    let first = scene.cancelled(by: &canceller, blocks: [100])
    canceller.reset()
    let second = scene.cancelled(by: &canceller, blocks: [100])
    XCTAssertEqual(Signals.bits(first.output), Signals.bits(second.output))

    // After a reset, the output is also the same if two loudspeakers have played different signals
    // before.
    let (left, right, echo) = twoLoudspeakers(seconds: 0.3, seed: 12)
    var output = echo
    canceller.cancel(&output, left: left, right: right)
    canceller.reset()
    let third = scene.cancelled(by: &canceller, blocks: [100])
    XCTAssertEqual(Signals.bits(first.output), Signals.bits(third.output))
  }

  func test_process_delayedNoise_isCancelledWithinHalfASecond() throws {
    var generator = SeededGenerator(seed: 7)
    let reference = Signals.noise(count: 6_000, using: &generator)
    let echo = Signals.silence(37) + reference.dropLast(37).map { 0.5 * $0 }
    var canceller = try EchoCanceller(sampleRate: 8_000, tail: 0.064)
    var output = echo
    canceller.cancel(&output, reference: reference)
    let enhancement = Signals.decibels(
      (Signals.power(echo[4_000...]) / Signals.power(output[4_000...])).squareRoot())
    print("white noise, after half a second: \(enhancement) dB")
    XCTAssertGreaterThan(enhancement, 30)
  }

  /// The signals of two loudspeakers, and the sum of their echoes at 8 kHz. The echo paths have
  /// different delays, gains and signs.
  ///
  /// - Parameter difference: The amplitude of the difference between the two loudspeaker signals.
  private func twoLoudspeakers(seconds: Double, seed: UInt64, difference: Float = 0.5) -> (
    left: [Float], right: [Float], echo: [Float]
  ) {
    var generator = SeededGenerator(seed: seed)
    let count = Int(8_000 * seconds)
    let common = Signals.noise(count: count, using: &generator)
    let sides = (0..<2).map { _ in Signals.noise(count: count, using: &generator) }
    let left = zip(common, sides[0]).map { $0 + difference * $1 }
    let right = zip(common, sides[1]).map { $0 + difference * $1 }
    let early = Signals.silence(37) + left.dropLast(37).map { 0.5 * $0 }
    let late = Signals.silence(90) + right.dropLast(90).map { -0.3 * $0 }
    let echo = Signals.sum(early, late)
    return (left, right, echo)
  }

  func test_process_twoLoudspeakers_cancelsTheEchoOfBoth() throws {
    let (left, right, echo) = twoLoudspeakers(seconds: 6, seed: 8)
    func enhancement(_ cancel: (inout EchoCanceller, inout [Float]) -> Void) throws -> Double {
      var canceller = try EchoCanceller(sampleRate: 8_000, tail: 0.064)
      var output = echo
      cancel(&canceller, &output)
      return Signals.decibels(
        (Signals.power(echo[32_000...]) / Signals.power(output[32_000...])).squareRoot())
    }
    let ofBoth = try enhancement { $0.cancel(&$1, left: left, right: right) }
    let mean = zip(left, right).map { 0.5 * ($0 + $1) }
    let ofMean = try enhancement { $0.cancel(&$1, reference: mean) }
    print("two loudspeakers, from 4 s on: \(ofBoth) dB; with their mean: \(ofMean) dB")
    XCTAssertGreaterThan(ofBoth, 25)
    XCTAssertLessThan(ofMean, 12)
  }

  /// The signals of the two loudspeakers are nearly equal, as in most music.
  func test_process_twoLoudspeakersThatDifferSlightly_cancelsTheEchoOfBothInASecond() throws {
    let (left, right, echo) = twoLoudspeakers(seconds: 2, seed: 13, difference: 0.1)
    var canceller = try EchoCanceller(sampleRate: 8_000, tail: 0.064)
    var output = echo
    canceller.cancel(&output, left: left, right: right)
    let enhancement = Signals.decibels(
      (Signals.power(echo[8_000...]) / Signals.power(output[8_000...])).squareRoot())
    print("loudspeakers that differ a little, from 1 s on: \(enhancement) dB")
    XCTAssertGreaterThan(enhancement, 26)
  }

  /// Both loudspeakers play the same signal at different levels. This happens if the ears of a
  /// listener need different gains.
  func test_process_sameNoiseOnTwoLoudspeakersAtTwoLevels_cancelsTheEchoOfBoth() throws {
    var generator = SeededGenerator(seed: 10)
    let left = Signals.noise(count: 32_000, using: &generator)
    let right = left.map { 0.4 * $0 }
    let late = Signals.silence(90) + right.dropLast(90).map { 0.5 * $0 }
    let echo = zip(left, late).map { 0.5 * $0 + $1 }
    var canceller = try EchoCanceller(sampleRate: 8_000, tail: 0.064)
    var output = echo
    canceller.cancel(&output, left: left, right: right)
    let enhancement = Signals.decibels(
      (Signals.power(echo[16_000...]) / Signals.power(output[16_000...])).squareRoot())
    XCTAssertGreaterThan(enhancement, 30)
  }

  func test_process_whenTheLoudspeakersDifferAgain_cancelsTheEchoImmediately() throws {
    let (left, right, _) = twoLoudspeakers(seconds: 6, seed: 11)
    // From 4 s to 5 s, both loudspeakers play the same signal. At all other times, their signals
    // differ.
    let other = left.indices.map { (32_000..<40_000).contains($0) ? left[$0] : right[$0] }
    let late = Signals.silence(90) + other.dropLast(90).map { -0.3 * $0 }
    let echo = zip(left, late).map { 0.5 * $0 + $1 }
    var canceller = try EchoCanceller(sampleRate: 8_000, tail: 0.064)
    var output = echo
    canceller.cancel(&output, left: left, right: other)
    let start = 40_000..<40_400
    let enhancement = Signals.decibels(
      (Signals.power(echo[start]) / Signals.power(output[start])).squareRoot())
    XCTAssertGreaterThan(enhancement, 30)
  }

  /// From 1 s to 3 s, the loudspeakers play different signals. Before and after that, they play the
  /// same signal.
  func test_process_twoLoudspeakersAndAnyBlockSizes_giveTheSameBits() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    let (left, right, echo) = twoLoudspeakers(seconds: Signals.isSanitized ? 0.5 : 5, seed: seed)
    let differ = left.count / 5..<left.count * 3 / 5
    let other = left.indices.map { differ.contains($0) ? right[$0] : left[$0] }
    var expected: Signals.Bits?
    for blocks in [[4_096], [1], [64], [3, 0, 500, 1, 77]] {
      var canceller = try EchoCanceller(sampleRate: 8_000)
      var output = echo
      canceller.cancel(&output, left: left, right: other, blocks: blocks)
      if let expected {
        XCTAssertEqual(Signals.bits(output), expected, "blocks of \(blocks)")
      } else {
        expected = Signals.bits(output)
      }
    }
  }

  func test_process_sameSignalOnTwoLoudspeakers_isBitIdenticalToOneChannel() throws {
    var generator = SeededGenerator(seed: 9)
    let scene = EchoScene(rate: 8_000, seconds: Signals.isSanitized ? 0.3 : 2, using: &generator)
    var canceller = try EchoCanceller(sampleRate: 8_000)
    let expected = scene.cancelled(by: &canceller)
    canceller.reset()
    var output = scene.microphone
    canceller.cancel(&output, left: scene.far, right: scene.far)
    XCTAssertEqual(Signals.bits(output), Signals.bits(expected.output))
  }
}
