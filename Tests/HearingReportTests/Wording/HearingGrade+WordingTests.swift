import HearingFitting
import XCTest

@testable import HearingReport

final class HearingGradeWordingTests: XCTestCase {
  func test_lowestAverage_isWhereTheGradeBegins() {
    for grade in HearingGrade.allCases.dropFirst() {
      XCTAssertEqual(HearingGrade(pureToneAverage: grade.lowestAverage), grade)
      XCTAssertLessThan(HearingGrade(pureToneAverage: grade.lowestAverage.nextDown), grade)
    }
    XCTAssertEqual(HearingGrade(pureToneAverage: HearingGrade.normal.lowestAverage), .normal)
  }

  func test_titles_beginWithACapital() {
    XCTAssertEqual(HearingGrade.moderatelySevere.title, "Moderately severe")
  }
}
