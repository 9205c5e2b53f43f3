import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class DuckingGlideTests: XCTestCase {
  private let attack = 150
  private let release = 2_400

  private func glide(at gain: Int64 = 0) -> DuckingGlide {
    DuckingGlide(gain: gain, attackSteps: attack, releaseSteps: release)
  }

  /// Advances `glide` until it ends. Returns the gain after each step.
  private func gains(_ glide: inout DuckingGlide) -> [Int64] {
    var result: [Int64] = []
    while !glide.isSettled && result.count < 10_000 {
      glide.advance()
      result.append(glide.gain)
    }
    return result
  }

  func test_startTransition_toALowerGain_takesTheAttackTime_andFallsMonotonically() {
    var glide = glide()
    glide.startTransition(to: -20_000_000)
    let course = gains(&glide)
    XCTAssertEqual(course.firstIndex(of: -20_000_000), attack - 2)
    XCTAssertEqual(Double(course[attack / 2 - 1]), -10_000_000, accuracy: 200_000)
    XCTAssertTrue(zip(course, course.dropFirst()).allSatisfy { $0 >= $1 })
    XCTAssertEqual(course.last, -20_000_000)
  }

  func test_startTransition_toAHigherGain_takesTheReleaseTime_andRisesMonotonically() {
    var glide = glide(at: -20_000_000)
    glide.startTransition(to: -5_000_000)
    let course = gains(&glide)
    XCTAssertEqual(Double(course.count), Double(release), accuracy: 2)
    XCTAssertEqual(Double(course[release / 2]), -12_500_000, accuracy: 50_000)
    XCTAssertTrue(zip(course, course.dropFirst()).allSatisfy { $0 <= $1 })
    XCTAssertEqual(course.last, -5_000_000)
  }

  func test_startTransition_upDuringATransitionDown_reversesNearTheCurrentGain() {
    var glide = glide()
    glide.startTransition(to: -20_000_000)
    for _ in 0..<20 { glide.advance() }
    let turningPoint = glide.gain
    glide.startTransition(to: 0)
    let minimum = gains(&glide).min() ?? 0
    XCTAssertLessThan(turningPoint, 0)
    // After the second call, the gain falls by less than 6 dB more before it rises.
    XCTAssertGreaterThan(minimum, turningPoint - 6_000_000)
    XCTAssertEqual(glide.gain, 0)
  }

  func test_randomTargets_keepTheGainBetweenTargets_withoutAbruptSlopeChanges() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    // The gain is smoothed with two moving averages of 75 steps each. For a range of 20 dB, this is
    // the maximum change of the slope from one step to the next.
    let maximumChange: Int64 = 2 * 20_000_000 / (75 * 75) + 2
    for _ in 0..<50 {
      var glide = glide()
      var (previous, slope): (Int64, Int64) = (0, 0)
      var minimum: Int64 = 0
      for _ in 0..<40 {
        let aim = -Int64.random(in: 0...20_000_000, using: &generator)
        minimum = min(minimum, aim)
        glide.startTransition(to: aim)
        XCTAssertFalse(glide.isSettled)
        for _ in 0..<Int.random(in: 1...400, using: &generator) {
          glide.advance()
          XCTAssertTrue((minimum...0).contains(glide.gain), "\(glide.gain)")
          let next = glide.gain - previous
          XCTAssertLessThanOrEqual(abs(next - slope), maximumChange)
          (previous, slope) = (glide.gain, next)
        }
      }
      _ = gains(&glide)
      XCTAssertEqual(glide.gain, glide.target)
    }
  }

  func test_jump_duringATransition_reachesTheGainImmediately() {
    var glide = glide()
    glide.startTransition(to: -3_000_000)
    for _ in 0..<30 { glide.advance() }
    glide.jump(to: -14_000_000)
    XCTAssertTrue(glide.isSettled)
    XCTAssertEqual(glide.gain, -14_000_000)
    glide.advance()
    XCTAssertEqual(glide.gain, -14_000_000)
  }
}
