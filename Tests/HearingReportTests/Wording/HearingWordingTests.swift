import HearingFitting
@testable import HearingReport
import XCTest

final class HearingWordingTests: XCTestCase {
  func test_gradeTitle_beginsWithACapitalLetter() {
    XCTAssertEqual(HearingGrade.moderatelySevere.title, "Moderately severe")
  }
}
