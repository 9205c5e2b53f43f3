import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class EchoPathTests: XCTestCase {
  private let rate = 8_000.0

  private func call(
    suppression: Bool = true, frames: Int = 8_000
  ) -> (TestCall, MicrophoneMode) {
    var generator = SeededGenerator(seed: 131)
    let far = Signals.noise(count: frames, amplitude: 0.1, using: &generator)
    let near = Signals.noise(count: frames, amplitude: 0.02, using: &generator)
    let microphone = zip(Signals.delayed(far, by: 1_650), near).map { 0.3 * $0 + $1 }
    return (
      TestCall(frames: frames, microphone: microphone, farVoice: far),
      MicrophoneMode(cancelsEcho: true, suppressesResidualEcho: suppression)
    )
  }

  private func uplink(_ call: (TestCall, MicrophoneMode), _ processor: VoiceProcessor) -> [Float] {
    processor.microphoneMode = call.1
    return call.0.rendered(by: processor).uplink
  }

  func test_init_fromThePackedWord_restoresThePath() {
    for path in [
      EchoPath(), EchoPath(delay: 0.5, tail: 0.064, suppression: 0),
      EchoPath(delay: 0.123_4, tail: 0.192, suppression: 1, raisesSuppression: true),
    ] {
      XCTAssertEqual(EchoPath(word: path.word), path)
    }
    XCTAssertEqual(
      EchoPath(word: EchoPath(suppression: 0.5).word).suppression, 0.5, accuracy: 0.002)
  }

  func test_echoPath_initially_hasTheValuesPassedToTheInitializer() throws {
    let processor = try VoiceProcessor(sampleRate: rate, echoTail: 0.1, deviceDelay: 0.2)
    XCTAssertEqual(processor.echoPath, EchoPath(delay: 0.2, tail: 0.1))
  }

  func test_echoPath_setBeforeTheFirstFrame_equalsSettingItInTheInitializer() throws {
    let call = call()
    let expected = uplink(
      call, try VoiceProcessor(sampleRate: rate, echoTail: 0.1, deviceDelay: 0.2))
    let processor = try VoiceProcessor(sampleRate: rate, echoTail: 0.3)
    processor.echoPath = EchoPath(delay: 0.2, tail: 0.1)
    XCTAssertEqual(Signals.bits(uplink(call, processor)), Signals.bits(expected))
  }

  func test_echoPath_changedDuringTheCall_restartsTheCanceller() throws {
    let (prepared, mode) = call(suppression: false, frames: 40_000)
    var test = prepared
    test.changes = [(20_000, { $0.echoPath = EchoPath(delay: 0.2, tail: 0.1) })]
    let processor = try VoiceProcessor(sampleRate: rate, echoTail: 0.3)
    let changed = uplink((test, mode), processor)
    // After the change, the echo filter is empty. Therefore, for a short time, the canceller does
    // not change the microphone signal.
    let rest = zip(changed[20_000..<20_040], test.microphone[20_000..<20_040])
    XCTAssertTrue(rest.allSatisfy { abs($0 - $1) < 1e-4 })
    XCTAssertTrue(changed.allSatisfy(\.isFinite))
    // The canceller removes the echo just before the change, and again at the end.
    let echo = Signals.delayed(test.farVoice[0], by: 1_650).map { 0.3 * $0 }
    for (range, minimum) in [(18_000..<20_000, 4.0), (38_000..<40_000, 8.8)] {
      let left = range.map { changed[$0] - (test.microphone[$0] - echo[$0]) }
      let removed = Signals.rmsLevel(echo[range]) - Signals.rmsLevel(left)
      print("\(range): \(removed) dB of echo removed")
      XCTAssertGreaterThan(removed, minimum, "\(range)")
    }
  }

  /// The maximum tail selects the tail of the initializer, which is in use already. The filter
  /// starts 6 ms before the delay, so that a delay of 4 ms does not move the filter.
  func test_echoPath_setToThePathInUse_changesNoBit() throws {
    let (prepared, mode) = call(suppression: false, frames: 40_000)
    let expected = uplink((prepared, mode), try VoiceProcessor(sampleRate: rate, echoTail: 0.1))
    for path in [EchoPath(suppression: 0), EchoPath(delay: 0.004, suppression: 0)] {
      var test = prepared
      test.changes = [(20_000, { $0.echoPath = path })]
      let found = uplink((test, mode), try VoiceProcessor(sampleRate: rate, echoTail: 0.1))
      XCTAssertEqual(Signals.bits(found), Signals.bits(expected), "\(path)")
    }
  }

  /// Headphones are plugged in or unplugged. The delay and the tail stay the same, but the echo
  /// changes.
  func test_echoPath_ofAnotherKindOfDevice_restartsTheCanceller() throws {
    let (prepared, mode) = call(suppression: false, frames: 40_000)
    for (before, after) in [(false, true), (true, false)] {
      var test = prepared
      test.changes = [(20_000, { $0.echoPath = EchoPath(raisesSuppression: after) })]
      let processor = try VoiceProcessor(sampleRate: rate, echoTail: 0.1)
      processor.echoPath = EchoPath(raisesSuppression: before)
      let changed = uplink((test, mode), processor)
      // The new filter is empty.
      let rest = zip(changed[20_000..<20_040], test.microphone[20_000..<20_040])
      XCTAssertTrue(rest.allSatisfy { abs($0 - $1) < 1e-4 }, "from \(before) to \(after)")
    }
  }

  func test_reset_withFewerPartitions_isBitIdenticalToACancellerWithAShorterTail() throws {
    let (test, _) = call()
    var expected = test.microphone
    var short = try EchoCanceller(sampleRate: rate, tail: 0.1)
    short.cancel(&expected, reference: test.farVoice[0], blocks: [80])
    var canceller = try EchoCanceller(sampleRate: rate, tail: 0.3)
    var once = test.microphone
    canceller.cancel(&once, reference: test.farVoice[0], blocks: [80])
    canceller.filter.partitions = EchoPlan.partitions(
      tail: 0.1, sampleRate: rate, block: canceller.filter.plan.block)
    canceller.filter.reset()
    var twice = test.microphone
    canceller.cancel(&twice, reference: test.farVoice[0], blocks: [80])
    XCTAssertEqual(Signals.bits(twice), Signals.bits(expected))
    XCTAssertNotEqual(Signals.bits(once), Signals.bits(expected))
  }

  func test_suppressionOfZero_passesTheCancellersOutput() throws {
    let expected = uplink(call(suppression: false), try VoiceProcessor(sampleRate: rate))
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.echoPath.suppression = 0
    let left = uplink(call(), processor)
    for index in 1_000..<8_000 {
      XCTAssertEqual(left[index], expected[index - processor.uplinkLatency], accuracy: 1e-4)
    }
  }

  /// A Bluetooth device may be a loudspeaker. As soon as its echo is measured, the processor
  /// suppresses it like the echo of any loudspeaker. The weak echo of a headset is not suppressed.
  func test_raisesSuppression_suppressesStrongEcho_butNotWeakEcho() throws {
    try XCTSkipIf(Signals.isSanitized, "long sounds take too long with a sanitizer")
    let count = Int(8 * rate)
    let far = SyntheticVoice.speech(seconds: 8, rate: rate, seed: 91, pitch: 140)
    var generator = SeededGenerator(seed: 92)
    let room = EchoScene.room(rate: rate, delay: 0.01, reverberation: 0.3, using: &generator)
    let strong = EchoScene.convolved(far, room)
    func level(_ echo: [Float], suppression: Double, raises: Bool = false) throws -> Double {
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.microphoneMode = MicrophoneMode(cancelsEcho: true, suppressesResidualEcho: true)
      processor.echoPath = EchoPath(suppression: suppression, raisesSuppression: raises)
      let call = TestCall(frames: count, microphone: echo, farVoice: far)
      return Signals.rmsLevel(call.rendered(by: processor).uplink[(count / 2)...])
    }
    for (name, echo, isSuppressed) in [
      ("loudspeaker", strong, true), ("headset", strong.map { 0.005 * $0 }, false),
    ] {
      let (none, full) = (try level(echo, suppression: 0), try level(echo, suppression: 1))
      let found = try level(echo, suppression: 0, raises: true)
      print("\(name): \(found) dB, without suppression \(none), with it \(full)")
      XCTAssertLessThan(full, none - 1, name)
      XCTAssertEqual(found, isSuppressed ? full : none, accuracy: 0.5, name)
    }
  }
}
