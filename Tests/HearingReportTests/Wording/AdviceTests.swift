import HearingFitting
import XCTest

@testable import HearingReport

final class AdviceTests: XCTestCase {
  private func advice(_ profile: HearingProfile, estimatedEars: Set<Ear> = []) -> String {
    profile.advice(estimatedEars: estimatedEars).joined(separator: "\n")
  }

  func test_completeMeasurementOfEqualEars_givesNoAdvice() {
    for standard in Audiogram.standards {
      XCTAssertEqual(
        advice(HearingProfile(left: standard.audiogram, right: standard.audiogram)), "")
    }
  }

  func test_everyFinding_isStatedOnce() {
    let unlike = advice(HearingProfile(left: .n1, right: .n6))
    XCTAssertEqual(unlike.components(separatedBy: "The two ears differ").count, 2)
    XCTAssertTrue(unlike.contains("up to 75 dB (at 500, 1000, 2000, 3000, 4000 Hz)"), unlike)
    XCTAssertTrue(advice(HearingProfile(right: .n3)).hasPrefix("Left ear: not measured."))
    XCTAssertTrue(advice(HearingProfile()).hasPrefix("Neither ear"))
  }

  func test_advice_namesTheEstimatedEars() {
    let profile = HearingProfile(left: .n3, right: .n3)
    XCTAssertTrue(
      advice(profile, estimatedEars: [.left]).hasPrefix("Left ear: estimated, not measured."))
    XCTAssertTrue(
      advice(profile, estimatedEars: [.left, .right]).hasPrefix("These thresholds were not"))
    XCTAssertEqual(
      advice(HearingProfile(left: .n3), estimatedEars: [.right]).split(separator: "\n").count, 1)
  }

  func test_estimatedEar_isNotComparedWithTheMeasuredOne() {
    let text = advice(HearingProfile(left: .n6, right: .n1), estimatedEars: [.right])
    XCTAssertFalse(text.contains("differ"), text)
    XCTAssertFalse(text.contains("no gain"), text)
    XCTAssertTrue(text.hasPrefix("Right ear: estimated, not measured."), text)
  }

  func test_missingFrequencies_areNamed() throws {
    let partial = try Audiogram([500: 20, 1000: 20, 4000: 20])
    let text = advice(HearingProfile(left: partial, right: .n1))
    XCTAssertTrue(text.contains("Left ear: 2000 Hz not measured"), text)
  }
}
