import XCTest

@testable import HearingFitting

final class PiecewiseLineTests: XCTestCase {
  private let line = PiecewiseLine(x: [0, 10, 20], y: [1, 3, -1])

  func test_value_atPoint_isThatPointsValue() {
    XCTAssertEqual(line.value(at: 0), 1)
    XCTAssertEqual(line.value(at: 10), 3)
    XCTAssertEqual(line.value(at: 20), -1)
  }

  func test_value_betweenPoints_isOnStraightLine() {
    XCTAssertEqual(line.value(at: 5), 2, accuracy: 1e-12)
    XCTAssertEqual(line.value(at: 15), 1, accuracy: 1e-12)
  }

  func test_value_beyondEnds_isHeld() {
    XCTAssertEqual(line.value(at: -.infinity), 1)
    XCTAssertEqual(line.value(at: -5), 1)
    XCTAssertEqual(line.value(at: .infinity), -1)
  }

  func test_value_ofOnePoint_isSameEverywhere() {
    let point = PiecewiseLine(x: [3], y: [7])
    for position in [-Double.infinity, 0, 3, 4] { XCTAssertEqual(point.value(at: position), 7) }
  }

  func test_crossings_areWhereTheLinePassesThrough() {
    XCTAssertEqual(line.crossings(of: 2), [5, 12.5])
    XCTAssertEqual(line.crossings(of: 0), [17.5])
    XCTAssertEqual(line.crossings(of: 3), [])
  }
}
