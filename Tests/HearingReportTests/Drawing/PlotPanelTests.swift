@testable import HearingReport
import XCTest

final class PlotPanelTests: XCTestCase {
  func test_logarithmicScale_givesEveryOctaveTheSameWidth() {
    let scale = Scale(values: 125...8000, start: 0, end: 600, isLogarithmic: true)
    XCTAssertEqual(scale.position(of: 125), 0, accuracy: 1e-9)
    XCTAssertEqual(scale.position(of: 250), 100, accuracy: 1e-9)
    XCTAssertEqual(scale.position(of: 4000), 500, accuracy: 1e-9)
    XCTAssertEqual(scale.position(of: 16_000), 700, accuracy: 1e-9)
  }

  func test_linearScale_withStartAfterEnd_runsBackwards() {
    let scale = Scale(values: 0...10, start: 100, end: 0)
    XCTAssertEqual(scale.position(of: 2.5), 75)
  }
}
