import HearingFitting
@testable import HearingReport
import XCTest

final class HearingWordingTests: XCTestCase {
  func test_gradeTitles_beginWithACapitalLetter() {
    XCTAssertEqual(
      HearingGrade.allCases.map(\.title),
      ["Normal", "Mild", "Moderate", "Moderately severe", "Severe", "Profound", "Complete"])
  }

  func test_gradeMeanings_areDifferent() {
    let meanings = HearingGrade.allCases.map(\.meaning)
    XCTAssertEqual(Set(meanings).count, meanings.count)
  }

  func test_earTitles_areLeftEarAndRightEar() {
    XCTAssertEqual(Ear.left.title, "Left ear")
    XCTAssertEqual(Ear.right.title, "Right ear")
    XCTAssertEqual(Ear.sentences { "\($0.title)." }, "Right ear. Left ear.")
  }
}
