@testable import HearingFitting
import XCTest

final class ImportedProfileTests: XCTestCase {
  func test_profile_withoutPoints_isNil() {
    XCTAssertNil(PointCollection().measurement(at: nil, position: ""))
  }

  func test_add_samePointTwiceForBothEars_keepsOnePointPerEar() throws {
    var points = PointCollection()
    for ear in Ear.allCases {
      try points.add(.init(frequency: 500, threshold: 130), to: ear, at: "here")
      try points.add(.init(frequency: 500, threshold: 130), to: ear, at: "there")
    }
    let expected = Audiogram.Point(frequency: 500, threshold: 120, isClamped: true)
    let profile = points.measurement(at: nil, position: "")?.profile
    XCTAssertEqual(profile?.left?.points, [expected])
    XCTAssertEqual(profile?.right?.points, [expected])
  }

  func test_add_sameThresholdWithDifferentFlags_isAnError() throws {
    var points = PointCollection()
    try points.add(.init(frequency: 500, threshold: 30), to: .left, at: "here")
    assertUnreadable(
      saying: "there: 500 Hz of the left ear occurs twice: 30 dB HL here, 30 dB HL at here, "
        + "with different flags"
    ) { () throws(UnreadableDocument) in
      try points.add(
        .init(frequency: 500, threshold: 30, isMasked: true), to: .left, at: "there")
    }
  }

  func test_add_invalidNumbers_areErrors() {
    for (frequency, threshold) in [(Double.nan, 20.0), (.infinity, 20), (500, .nan), (-500, 20)] {
      var points = PointCollection()
      XCTAssertThrowsError(
        try points.add(.init(frequency: frequency, threshold: threshold), to: .left, at: "here")
      ) { XCTAssertTrue("\($0)".hasPrefix("here: "), "\($0)") }
    }
  }
}
