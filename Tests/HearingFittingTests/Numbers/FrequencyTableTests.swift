import XCTest

@testable import HearingFitting

final class FrequencyTableTests: XCTestCase {
  private let table = FrequencyTable(frequencies: [250, 1000], values: [0, 20])

  func test_value_betweenPoints_isStraightOnLogFrequency() {
    XCTAssertEqual(table.value(at: 500), 10, accuracy: 1e-12)
    XCTAssertEqual(table.value(at: 250), 0)
    XCTAssertEqual(table.value(at: 1000), 20)
  }

  func test_value_beyondEnds_isHeld() {
    XCTAssertEqual(table.value(at: 1), 0)
    XCTAssertEqual(table.value(at: 30_000), 20)
  }

  func test_crossings_areFrequencies() {
    XCTAssertEqual(table.crossings(of: 10).map { $0.rounded() }, [500])
  }
}
