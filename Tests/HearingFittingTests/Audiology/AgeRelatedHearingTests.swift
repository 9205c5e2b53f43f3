import Foundation
import XCTest

@testable import HearingFitting

final class AgeRelatedHearingTests: XCTestCase {
  func test_audiogram_agreesWithHandCalculatedMedians() throws {
    let male = try AgeRelatedHearing(age: 60, sex: .male).audiogram
    // The expected threshold is 0.0034 × 42^2.325 dB HL.
    XCTAssertEqual(male.threshold(at: 4000), 20.21, accuracy: 0.005)
    // The expected threshold is 0.000702 × 42^2.494 dB HL. 42^2.494 = e^(2.494 × 3.73767) =
    // 11178.5.
    XCTAssertEqual(male.threshold(at: 1000), 7.847, accuracy: 0.005)
    let female = try AgeRelatedHearing(age: 70, sex: .female).audiogram
    // The expected threshold is 0.000737 × 52^2.66 dB HL. 52^2.66 = e^(2.66 × 3.951244) = 36691.7.
    XCTAssertEqual(female.threshold(at: 4000), 27.04, accuracy: 0.01)
    // The expected threshold is 0.00253 × 52^2.439 dB HL. 52^2.439 = e^9.637084 = 15322.5.
    XCTAssertEqual(female.threshold(at: 8000), 38.77, accuracy: 0.01)
    XCTAssertEqual(
      male.points.map(\.frequency),
      [125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000])
  }

  func test_thresholds_startAtZero_andRiseWithAge() throws {
    for sex in AgeRelatedHearing.Sex.allCases {
      let young = try AgeRelatedHearing(age: 18, sex: sex).audiogram
      XCTAssertTrue(young.points.allSatisfy { $0.threshold == 0 })
      var before = young
      for age in stride(from: 18.5, through: 80, by: 0.5) {
        let now = try AgeRelatedHearing(age: age, sex: sex).audiogram
        for (new, old) in zip(now.points, before.points) {
          XCTAssertGreaterThanOrEqual(new.threshold, old.threshold, "\(age) \(sex)")
          XCTAssertLessThan(new.threshold, 100)
        }
        before = now
      }
    }
  }

  func test_init_ageBeyondTheStandard_isAnError() {
    for age in [17.9, 80.1, -1, .nan, .infinity] {
      XCTAssertThrowsError(try AgeRelatedHearing(age: age, sex: .female), "\(age)")
    }
    XCTAssertThrowsError(try AgeRelatedHearing(age: 90, sex: .male)) {
      XCTAssertEqual("\($0)", "age: 90 is outside 18 to 80")
    }
  }

  func test_profileEstimatedFromAge_isMarkedAsAnEstimate() throws {
    let hearing = try AgeRelatedHearing(age: 60, sex: .male)
    let profile = HearingProfile(estimatedFrom: hearing)
    XCTAssertEqual(profile.method, .estimate)
    XCTAssertNil(profile.measuredAt)
    XCTAssertEqual(profile.left, hearing.audiogram)
    XCTAssertEqual(profile.right, hearing.audiogram)
    XCTAssertEqual(HearingAssessment(of: profile).findings, [.estimated])
    XCTAssertEqual(try HearingProfile(json: profile.jsonData()).method, .estimate)
  }
}
