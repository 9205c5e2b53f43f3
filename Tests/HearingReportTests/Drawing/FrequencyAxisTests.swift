import XCTest

@testable import HearingReport

final class FrequencyAxisTests: XCTestCase {
  func test_axis_alwaysShowsTheClinicalRange() {
    XCTAssertEqual(FrequencyAxis().range, 125...8000)
    XCTAssertEqual(FrequencyAxis(showing: [1000]).range, 125...8000)
  }

  func test_axis_growsToIncludeAllFrequencies() {
    XCTAssertEqual(FrequencyAxis(showing: [100, 20_000]).range, 100...20_000)
    let ticks = FrequencyAxis(showing: [20_000]).ticks(numbersBetweenOctaves: true)
    XCTAssertEqual(ticks.compactMap(\.text).last, "12000")
    XCTAssertTrue(ticks.contains { $0.text == "16000" })
  }

  func test_ticksBetweenOctaves_areFineAndNumberedOnRequest() {
    let axis = FrequencyAxis()
    XCTAssertEqual(
      axis.ticks(numbersBetweenOctaves: true).filter(\.isFine).compactMap(\.text),
      ["750", "1500", "3000", "6000"])
    XCTAssertEqual(
      axis.ticks(numbersBetweenOctaves: false).filter(\.isFine).compactMap(\.text), [])
  }
}
