import XCTest

@testable import HearingVoice

final class SpeechLevelTests: XCTestCase {
  func test_add_steadyFrames_measuresTheirPower() {
    var level = SpeechLevel()
    for _ in 0..<400 { _ = level.add(0.01) }
    XCTAssertEqual(level.power, 0.01, accuracy: 1e-5)
    XCTAssertEqual(level.frames, 300)
  }

  func test_add_twoConsecutiveLouderFrames_restartTheMeasurement() {
    var level = SpeechLevel()
    for _ in 0..<300 { _ = level.add(1e-5) }
    XCTAssertNil(level.add(0.03))
    XCTAssertEqual(level.add(0.03), true)
    XCTAssertEqual(level.power, 0.015, accuracy: 1e-4)
  }

  func test_add_125SoftFramesInARow_lowerThePower_andFewerChangeNothing() {
    var level = SpeechLevel()
    for _ in 0..<300 { _ = level.add(0.01) }
    let before = level.power
    for _ in 0..<124 { XCTAssertNil(level.add(1e-5)) }
    XCTAssertEqual(level.power, before)
    XCTAssertEqual(level.add(1e-5), true)
    XCTAssertEqual(level.power, 1e-5, accuracy: 1e-6)
  }

  /// A frame that is only slightly below the mean level is part of the mean. It also counts as a
  /// soft frame.
  func test_add_voiceBetween2And30DecibelsSofter_restartsTheMeasurementAtItsMeanPower() {
    var level = SpeechLevel()
    for _ in 0..<300 { _ = level.add(0.01) }
    for frame in 1..<125 { XCTAssertNotEqual(level.add(frame % 3 == 0 ? 0.006 : 1e-5), true) }
    XCTAssertEqual(level.add(0.006), true)
    XCTAssertEqual(level.power, 0.002, accuracy: 1e-4)
  }

  /// A pause of any length reduces the counted duration of soft voice by at most 0.05 s.
  func test_add_softFramesWithPauses_countEachPauseAsAtMost50Milliseconds() {
    for (voice, pause, restarts) in [(4, 4, false), (5, 200, false), (15, 200, true)] {
      var level = SpeechLevel()
      for _ in 0..<300 { _ = level.add(0.01) }
      var isRestarted = false
      for _ in 0..<60 {
        for _ in 0..<voice where level.add(1e-5) == true { isRestarted = true }
        for _ in 0..<pause { level.addPause() }
      }
      XCTAssertEqual(isRestarted, restarts, "\(voice) frames of voice, \(pause) frames of pause")
    }
  }

  /// A frame at or above the mean level sets the count of soft frames back to zero.
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
