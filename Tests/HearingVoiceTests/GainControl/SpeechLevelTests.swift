import XCTest

@testable import HearingVoice

final class SpeechLevelTests: XCTestCase {
  func test_add_steadyFrames_measuresTheirPower() {
    var level = SpeechLevel()
    for _ in 0..<400 { _ = level.add(0.01) }
    XCTAssertEqual(level.power, 0.01, accuracy: 1e-5)
    XCTAssertEqual(level.frames, 300)
  }

  func test_add_twoMuchLouderFrames_restartsTheMeasurement() {
    var level = SpeechLevel()
    for _ in 0..<300 { _ = level.add(1e-5) }
    XCTAssertNil(level.add(0.03))
    XCTAssertEqual(level.add(0.03), true)
    XCTAssertEqual(level.power, 0.015, accuracy: 1e-4)
  }

  func test_add_softFrames_changeThePowerOnlyIfTheyLast() {
    var level = SpeechLevel()
    for _ in 0..<300 { _ = level.add(0.01) }
    // First, the envelope must decay.
    for _ in 0..<20 { _ = level.add(1e-5) }
    let before = level.power
    for _ in 0..<40 { XCTAssertNil(level.add(1e-5)) }
    XCTAssertEqual(level.power, before)
    var changes: [Bool?] = []
    for _ in 0..<40 { changes.append(level.add(1e-5)) }
    XCTAssertTrue(changes.contains(true))
    XCTAssertEqual(level.power, 1e-5, accuracy: 1e-6)
  }

  /// Soft frames count only if they are consecutive.
  func test_add_softFramesBetweenSpeech_neverRestartTheMeasurement() {
    var level = SpeechLevel()
    for _ in 0..<300 { _ = level.add(0.01) }
    for _ in 0..<20 {
      for _ in 0..<40 { XCTAssertNotEqual(level.add(1e-5), true) }
      for _ in 0..<5 { XCTAssertEqual(level.add(0.01), false) }
    }
  }

  func test_add_silence_leavesThePowerAtZero() {
    var level = SpeechLevel()
    XCTAssertNil(level.add(0))
    XCTAssertEqual(level.power, 0)
  }
}
