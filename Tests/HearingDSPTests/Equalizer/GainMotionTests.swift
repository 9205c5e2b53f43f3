import XCTest

@testable import HearingDSP

final class GainMotionTests: XCTestCase {
  private let start = MotionRestart(time: nil, stretch: 1, windowProgress: 0)

  func test_distance_duringATransition_fallsFromTheFullGainChangeToZero() {
    var motion = GainMotion()
    motion.restart(start, to: Float4(1, -2, 0, 4))
    XCTAssertEqual(motion.distance(at: 0), Float4(-1, 2, 0, -4))
    for (time, limit): (Float, Float) in [(1, 1e-5), (0.99, 1e-4), (0.9, 0.04)] {
      XCTAssertLessThan(motion.distance(at: time).magnitude.max(), limit)
    }
  }

  func test_restart_duringATransition_continuesValueVelocityAndAcceleration() {
    var motion = GainMotion()
    motion.restart(start, to: Float4(repeating: 1))
    let step: Float = 0.01
    func derivatives(_ motion: GainMotion, at time: Float, step: Float) -> (Float, Float, Float) {
      let (a, b, c) = (
        motion.distance(at: time - step)[0], motion.distance(at: time)[0],
        motion.distance(at: time + step)[0]
      )
      return (b, (c - a) / (2 * step), (a + c - 2 * b) / (step * step))
    }
    let before = derivatives(motion, at: 0.4, step: step)
    // The target moves by 0.5. The new transition lasts twice as long as the old one.
    motion.restart(
      MotionRestart(time: 0.4, stretch: 2, windowProgress: 0), to: Float4(repeating: 1.5))
    let after = derivatives(motion, at: 0, step: step / 2)
    XCTAssertEqual(after.0, before.0 - 0.5, accuracy: 1e-5)
    XCTAssertEqual(after.1, before.1 * 2, accuracy: 0.02)
    XCTAssertEqual(after.2, before.2 * 4, accuracy: 0.5)
    XCTAssertEqual(motion.distance(at: 1)[0], 0, accuracy: 1e-5)
  }
}
