import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class VoiceStageTests: XCTestCase {
  private let rate = 8_000.0

  private func stage() throws -> VoiceStage {
    VoiceStage(try VoiceActivityDetector(sampleRate: rate))
  }

  func test_process_withoutPlayback_returnsTheDecisionsOfTheDetector() throws {
    let talk = SyntheticVoice.speech(seconds: 2, rate: rate)
    let decisions = try Heard.decisions(on: talk, rate: rate)
    var stage = try stage()
    let result = TestRun.rendered(talk, through: &stage, runs: [80])
    XCTAssertEqual(Signals.bits(result.samples), Signals.bits(talk))
    XCTAssertEqual(
      result.runs.map(\.isNearVoice), decisions.map { $0.isVoice && $0.level > -72 })
    XCTAssertTrue(result.runs.contains { $0.isNearVoice })
  }

  func test_process_voiceThatMayBeEcho_isNotReported() throws {
    let talk = SyntheticVoice.speech(seconds: 2, rate: rate)
    var stage = try stage()
    let result = TestRun.rendered(talk, reference: talk, through: &stage, runs: [80]) {
      $1.isNearPossible = false
    }
    XCTAssertFalse(result.runs.contains { $0.isNearVoice })
    // If the same talk cannot be echo, it is reported.
    var other = try self.stage()
    let possible = TestRun.rendered(talk, reference: talk, through: &other, runs: [80]).runs
    XCTAssertTrue(possible.contains { $0.isNearVoice })
  }

  func test_process_voiceInTheOutputOfTheEchoCanceller_isReported() throws {
    let talk = SyntheticVoice.speech(seconds: 2, rate: rate)
    let silence = [Float](repeating: 0, count: talk.count)
    var stage = try stage()
    let found = talk.withUnsafeBufferPointer { talk in
      TestRun.rendered(silence, through: &stage, runs: [80]) { start, run in
        run.cancelled = talk.row.from(start)
      }.runs.contains { $0.isNearVoice }
    }
    XCTAssertTrue(found)
  }

  func test_reset_afterTalk_decidesAsIfNew() throws {
    let talk = SyntheticVoice.speech(seconds: 1, rate: rate)
    var stage = try stage()
    let first = TestRun.rendered(talk, through: &stage, runs: [80]).runs.map(\.isNearVoice)
    XCTAssertTrue(first.contains(true))
    _ = TestRun.rendered(talk.map { 8 * $0 }, through: &stage, runs: [80])
    stage.reset()
    let second = TestRun.rendered(talk, through: &stage, runs: [80]).runs.map(\.isNearVoice)
    XCTAssertEqual(first, second)
  }
}
