import XCTest

@testable import HearingReport

final class FrequencyAxisTests: XCTestCase {
  private let wide = Frame(left: 76, top: 0, width: 572, height: 100)
  private let narrow = PictureLayout.narrow.earFrame(0)

  func test_axis_alwaysShowsAtLeast125To8000Hz() {
    XCTAssertEqual(FrequencyAxis().range, 125...8000)
    XCTAssertEqual(FrequencyAxis(showing: [1000]).range, 125...8000)
  }

  func test_axis_growsToIncludeAllFrequencies() {
    XCTAssertEqual(FrequencyAxis(showing: [100, 20_000]).range, 100...20_000)
    let ticks = FrequencyAxis(showing: [20_000]).ticks(
      numbersBetweenOctaves: true, over: wide)
    XCTAssertEqual(ticks.compactMap(\.text).last, "12000")
    XCTAssertTrue(ticks.contains { $0.text == "16000" })
  }

  func test_ticksBetweenOctaves_areThin_andHaveLabelsOnlyOnRequest() {
    let axis = FrequencyAxis()
    XCTAssertEqual(
      axis.ticks(numbersBetweenOctaves: true, over: wide).filter(\.isFine).compactMap(\.text),
      ["750", "1500", "3000", "6000"])
    XCTAssertEqual(
      axis.ticks(numbersBetweenOctaves: false, over: wide).filter(\.isFine).compactMap(\.text), [])
  }

  func test_frequencyLabels_withoutSpaceForAll_areOmittedEvenly() {
    let clinical = FrequencyAxis().ticks(numbersBetweenOctaves: false, over: narrow)
    XCTAssertEqual(
      clinical.compactMap(\.text), ["125", "250", "500", "1000", "2000", "4000", "8000"])
    let axis = FrequencyAxis(showing: [25, 20_000])
    let crowded = axis.ticks(numbersBetweenOctaves: false, over: narrow)
    XCTAssertEqual(crowded.compactMap(\.text), ["62.5", "250", "1000", "4000", "16000"])
    XCTAssertEqual(
      crowded.map(\.value), axis.ticks(numbersBetweenOctaves: false, over: wide).map(\.value),
      "all lines are drawn")
  }
}
