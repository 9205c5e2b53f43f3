import HearingFitting
import XCTest

@testable import HearingReport

final class AdviceTests: XCTestCase {
  private func advice(_ profile: HearingProfile, estimatedEars: Set<Ear> = []) -> String {
    profile.advice(estimatedEars: estimatedEars).joined(separator: "\n")
  }

  func test_completeMeasurementOfEqualEars_givesNoAdvice() {
    for standard in Audiogram.standards where (standard.audiogram.pureToneAverage ?? 0) < 80 {
      XCTAssertEqual(
        advice(HearingProfile(left: standard.audiogram, right: standard.audiogram)), "")
    }
  }

  /// Every profile has several findings. The last profile is an exception.
  func test_everyFinding_isStatedOnce_inTheOrderOfTheAdvice() throws {
    let silent = Audiogram.Point(frequency: 4000, threshold: 110, isNoResponse: true)
    let partial = try Audiogram(points: [
      .init(frequency: 500, threshold: 20), .init(frequency: 1000, threshold: 80), silent,
    ])
    for (profile, estimatedEars, expected) in [
      (
        HearingProfile(left: partial, right: .n1), Set<Ear>(),
        [
          "Left ear: 2000 Hz not measured", "The two ears differ by at least",
          "At some frequencies",
        ]
      ),
      (
        HearingProfile(left: partial, right: .n1), [.right],
        ["Right ear: estimated", "Left ear: 2000 Hz not measured", "At some frequencies"]
      ),
      (
        HearingProfile(left: partial), [.left],
        [
          "Left ear: estimated", "Right ear: not measured", "Left ear: 2000 Hz not measured",
          "At some frequencies",
        ]
      ),
      (
        HearingProfile(left: partial, right: partial), [.left, .right],
        [
          "These thresholds were not", "Left ear: 2000 Hz not measured",
          "Right ear: 2000 Hz not measured", "At some frequencies",
        ]
      ),
      (HearingProfile(), [], ["Neither ear"]),
    ] as [(HearingProfile, Set<Ear>, [String])] {
      let sentences = profile.advice(estimatedEars: estimatedEars)
      XCTAssertEqual(sentences.count, expected.count, "\(sentences)")
      for (sentence, start) in zip(sentences, expected) {
        XCTAssertTrue(sentence.hasPrefix(start), "\(sentence) does not begin with \(start)")
      }
    }
  }

  func test_differenceBetweenTheEars_isStatedOnceForAllFrequencies() {
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

  func test_estimatedEar_isNotComparedWithTheMeasuredEar() {
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

  func test_profoundLossAndImplausibleDiscomfort_areStated() throws {
    let profound = advice(HearingProfile(left: .n7, right: .n7))
    XCTAssertTrue(profound.contains("Left ear: the hearing loss is profound"), profound)
    let low = try Audiogram([1000: 30])
    let text = advice(HearingProfile(left: .n3, right: .n3, rightDiscomfort: low))
    XCTAssertTrue(text.contains("Right ear: discomfort below the threshold at 1000 Hz."), text)
  }
}
