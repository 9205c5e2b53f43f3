import HearingBuffers
import TestSupport
import XCTest

@testable import HearingVoice

final class EchoGateTests: XCTestCase {
  /// A gate after one frame of playback with a constant amplitude, and `silent` frames of silence.
  private func gate(amplitude: Float, silent: Int = 0) -> EchoGate {
    var gate = EchoGate(sampleRate: 8_000)
    let frame = OwnedRow<Float>.filled(amplitude, count: 80)
    let silence = OwnedRow<Float>.filled(0, count: 80)
    gate.add(frame.row, count: 80)
    gate.finishFrame()
    for _ in 0..<silent {
      gate.add(silence.row, count: 80)
      gate.finishFrame()
    }
    return gate
  }

  func test_isAboveEcho_needsSixDecibelsAboveTheEstimate() {
    let gate = gate(amplitude: 1)
    XCTAssertTrue(gate.isAboveEcho(level: -23.9, residualEchoPower: 1e-3))
    XCTAssertFalse(gate.isAboveEcho(level: -24.1, residualEchoPower: 1e-3))
  }

  func test_isAboveEcho_estimateIsLimitedToWhatPlaybackCanCause() {
    // Playback at −60 dB can cause at most −30 dB at the microphone, even if the estimate is
    // higher.
    let quiet = gate(amplitude: 1e-3)
    XCTAssertTrue(quiet.isAboveEcho(level: -23.8, residualEchoPower: 10))
    XCTAssertFalse(quiet.isAboveEcho(level: -24.2, residualEchoPower: 10))
    // After 200 ms of silence, the limit is 20 dB lower.
    let later = gate(amplitude: 1e-3, silent: 20)
    XCTAssertTrue(later.isAboveEcho(level: -43.6, residualEchoPower: 10))
    XCTAssertFalse(later.isAboveEcho(level: -44.6, residualEchoPower: 10))
  }

  func test_isAboveEcho_nothingPlayed_isAlwaysTrue() {
    let gate = EchoGate(sampleRate: 48_000)
    XCTAssertTrue(gate.isAboveEcho(level: -120, residualEchoPower: 1))
  }
}
