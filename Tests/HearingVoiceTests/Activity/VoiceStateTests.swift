import HearingDSP
import HearingVoice
import XCTest

final class VoiceStateTests: XCTestCase {
  private func take(
    _ isVoice: Bool, times: Int, by state: inout VoiceState
  ) -> [VoiceState.Change?] {
    (0..<times).map { _ in state.take(isVoice: isVoice) }
  }

  func test_take_voice_startsWithTheTenthDecision() {
    var state = VoiceState()
    XCTAssertEqual(take(true, times: 9, by: &state), Array(repeating: nil, count: 9))
    XCTAssertFalse(state.isTalking)
    XCTAssertEqual(state.take(isVoice: true), .started)
    XCTAssertTrue(state.isTalking)
    XCTAssertEqual(take(true, times: 200, by: &state), Array(repeating: nil, count: 200))
  }

  func test_take_voiceInterrupted_startsCountingAgain() {
    var state = VoiceState()
    for _ in 0..<50 {
      XCTAssertEqual(take(true, times: 9, by: &state), Array(repeating: nil, count: 9))
      XCTAssertNil(state.take(isVoice: false))
    }
    XCTAssertFalse(state.isTalking)
  }

  func test_take_pause_endsWithTheEightiethDecision() {
    var state = VoiceState()
    _ = take(true, times: 10, by: &state)
    XCTAssertEqual(take(false, times: 79, by: &state), Array(repeating: nil, count: 79))
    XCTAssertNil(state.take(isVoice: true))
    XCTAssertEqual(take(false, times: 79, by: &state), Array(repeating: nil, count: 79))
    XCTAssertTrue(state.isTalking)
    XCTAssertEqual(state.take(isVoice: false), .ended)
    XCTAssertFalse(state.isTalking)
    XCTAssertEqual(take(false, times: 200, by: &state), Array(repeating: nil, count: 200))
  }

  func test_reset_whileTalking_startsOver() {
    var state = VoiceState()
    _ = take(true, times: 10, by: &state)
    state.reset()
    XCTAssertEqual(state, VoiceState())
    XCTAssertEqual(take(true, times: 9, by: &state), Array(repeating: nil, count: 9))
    XCTAssertEqual(state.take(isVoice: true), .started)
  }
}
