import Foundation
import XCTest

@testable import HearingFitting

final class HearingProfileTests: XCTestCase {
  func test_init_withoutArguments_hasNoAudiogramDateOrMethod() {
    let profile = HearingProfile()
    for ear in Ear.allCases { XCTAssertNil(profile[ear]) }
    XCTAssertNil(profile.measuredAt)
    XCTAssertNil(profile.method)
  }

  func test_subscript_readsAndWritesOneEar() {
    var profile = HearingProfile(left: .n2, right: .s1)
    XCTAssertEqual(profile[.left], .n2)
    XCTAssertEqual(profile[.right], .s1)
    profile[.left] = nil
    XCTAssertEqual(profile, HearingProfile(right: .s1))
  }

  func test_measuredAt_isRoundedToTheMillisecond() {
    let date = Date(timeIntervalSince1970: 1_700_000_000.123456)
    var profile = HearingProfile(measuredAt: date)
    XCTAssertEqual(profile.measuredAt?.timeIntervalSince1970, 1_700_000_000.123)
    profile.measuredAt = Date(timeIntervalSince1970: 1.9996)
    XCTAssertEqual(profile.measuredAt?.timeIntervalSince1970, 2)
  }

  func test_measuredAt_outsideTheYearsOfISO8601_isClampedAndSurvivesJSON() throws {
    let dates: [Date] = [
      .distantPast, .distantFuture, Date(timeIntervalSince1970: 1e300),
      Date(timeIntervalSince1970: -.infinity),
    ]
    for date in dates {
      let profile = HearingProfile(left: .n1, measuredAt: date)
      XCTAssertEqual(try HearingProfile(json: profile.jsonData()), profile)
    }
  }
}
