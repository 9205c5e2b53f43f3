import HearingFitting
import XCTest

@testable import HearingReport

final class HearingGradeWordingTests: XCTestCase {
  func test_titles_beginWithACapital() {
    XCTAssertEqual(HearingGrade.moderatelySevere.title, "Moderately severe")
  }
}
