import XCTest

@testable import HearingAudio

final class RenderProgressTests: XCTestCase {
  private func progress(
    _ frames: Int, of total: Int?, after seconds: Double, isFinished: Bool = false
  ) -> RenderProgress {
    RenderProgress(
      frameCount: frames, totalFrameCount: total, sampleRate: 1000, elapsedSeconds: seconds,
      isFinished: isFinished)
  }

  func test_progress_ofKnownLength_hasFractionSpeedAndRemainingTime() {
    let progress = progress(2500, of: 10_000, after: 0.5)
    XCTAssertEqual(progress.fraction, 0.25)
    XCTAssertEqual(progress.speed, 5)
    XCTAssertEqual(progress.secondsLeft, 1.5)
  }

  func test_progress_ofUnknownLength_hasASpeed_butNoFractionOrRemainingTime() {
    let progress = progress(2500, of: nil, after: 0.5)
    XCTAssertNil(progress.fraction)
    XCTAssertNil(progress.secondsLeft)
    XCTAssertEqual(progress.speed, 5)
  }

  func test_progress_ofEmptyExceededOrFinishedLength_staysInRange() {
    XCTAssertEqual(progress(0, of: 0, after: 0).fraction, 1)
    XCTAssertEqual(progress(20, of: 10, after: 1).fraction, 1)
    XCTAssertEqual(progress(20, of: 10, after: 1).secondsLeft, 0)
    XCTAssertNil(progress(0, of: 10, after: 1).secondsLeft)
    XCTAssertNil(progress(10, of: 10, after: 0).speed)
    XCTAssertEqual(progress(3, of: nil, after: 1, isFinished: true).fraction, 1)
    XCTAssertEqual(progress(3, of: nil, after: 1, isFinished: true).secondsLeft, 0)
  }
}
