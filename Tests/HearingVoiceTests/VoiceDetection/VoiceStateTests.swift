import HearingDSP
import XCTest

@testable import HearingVoice

final class VoiceStateTests: XCTestCase {
  private func take(
    _ isVoice: Bool, times: Int, by state: inout VoiceState
  ) -> [VoiceState.Change?] {
    (0..<times).map { _ in state.add(isVoice: isVoice) }
  }

  func test_add_voice_startsTalkAtTheTenthDecision() {
    var state = VoiceState()
    XCTAssertEqual(take(true, times: 9, by: &state), Array(repeating: nil, count: 9))
    XCTAssertFalse(state.isTalking)
    XCTAssertEqual(state.add(isVoice: true), .started)
    XCTAssertTrue(state.isTalking)
    XCTAssertEqual(take(true, times: 200, by: &state), Array(repeating: nil, count: 200))
  }

  func test_add_nineVoiceDecisionsAtATime_neverStartsTalk() {
    var state = VoiceState()
    for _ in 0..<50 {
      XCTAssertEqual(take(true, times: 9, by: &state), Array(repeating: nil, count: 9))
      XCTAssertNil(state.add(isVoice: false))
    }
    XCTAssertFalse(state.isTalking)
  }

  func test_add_silence_endsTalkAtTheEightiethDecisionInARow() {
    var state = VoiceState()
    _ = take(true, times: 10, by: &state)
    XCTAssertEqual(take(false, times: 79, by: &state), Array(repeating: nil, count: 79))
    XCTAssertNil(state.add(isVoice: true))
    XCTAssertEqual(take(false, times: 79, by: &state), Array(repeating: nil, count: 79))
    XCTAssertTrue(state.isTalking)
    XCTAssertEqual(state.add(isVoice: false), .ended)
    XCTAssertFalse(state.isTalking)
    XCTAssertEqual(take(false, times: 200, by: &state), Array(repeating: nil, count: 200))
  }

  func test_reset_whileTalking_restoresTheInitialState() {
    var state = VoiceState()
    _ = take(true, times: 10, by: &state)
    state.reset()
    XCTAssertEqual(state, VoiceState())
    XCTAssertEqual(take(true, times: 9, by: &state), Array(repeating: nil, count: 9))
    XCTAssertEqual(state.add(isVoice: true), .started)
  }

  /// A decision that was made before it is known whether there is an echo path.
  private func undecided(isVoice: Bool) -> NearDecision {
    NearDecision(isVoice: false, isVoiceOrEcho: isVoice, echo: .unknown, frame: 0)
  }

  /// A decision without voice. `echo` says whether there is an echo path.
  private func silence(_ echo: EchoReport.Path) -> NearDecision {
    NearDecision(isVoice: false, isVoiceOrEcho: false, echo: echo, frame: 0)
  }

  func test_add_voiceThatMayBeEcho_countsWhenNoEchoPathIsFound() {
    var state = VoiceState()
    for _ in 0..<30 { XCTAssertNil(state.add(undecided(isVoice: true))) }
    for _ in 0..<78 { XCTAssertNil(state.add(undecided(isVoice: false))) }
    XCTAssertFalse(state.isTalking)
    XCTAssertEqual(state.add(silence(.absent)), .started)
    XCTAssertEqual(state.add(silence(.absent)), .ended, "the pause before counts as well")
  }

  func test_add_voiceThatMayBeEcho_doesNotCountWhenAnEchoPathIsFound() {
    var state = VoiceState()
    for _ in 0..<30 { XCTAssertNil(state.add(undecided(isVoice: true))) }
    XCTAssertNil(state.add(silence(.present)))
    XCTAssertNil(state.add(silence(.absent)))
    XCTAssertFalse(state.isTalking)
  }

  func test_add_voiceThatMayBeEcho_followedByAPause_isNeverReported() {
    var state = VoiceState()
    for _ in 0..<30 { XCTAssertNil(state.add(undecided(isVoice: true))) }
    for _ in 0..<80 { XCTAssertNil(state.add(undecided(isVoice: false))) }
    XCTAssertNil(state.add(silence(.absent)))
  }

  func test_add_voiceThatMayBeEcho_continuesTalk() {
    var state = VoiceState()
    _ = take(true, times: 10, by: &state)
    for _ in 0..<200 { XCTAssertNil(state.add(undecided(isVoice: true))) }
    XCTAssertTrue(state.isTalking)
    for _ in 0..<79 { XCTAssertNil(state.add(undecided(isVoice: false))) }
    XCTAssertEqual(state.add(undecided(isVoice: false)), .ended)
  }
}
