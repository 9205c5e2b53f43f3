import HearingFitting
@testable import HearingReport
import XCTest

final class HearingWordingTests: XCTestCase {
  func test_titles_beginWithACapital() {
    XCTAssertEqual(HearingGrade.moderatelySevere.title, "Moderately severe")
  }
}
