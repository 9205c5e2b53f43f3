@testable import HearingFitting
import XCTest

final class PiecewiseLineTests: XCTestCase {
  private let line = PiecewiseLine(x: [0, 10, 20], y: [1, 3, -1])

  func test_value_atABreakpoint_isTheValueOfTheBreakpoint() {
    XCTAssertEqual(line.value(at: 0), 1)
    XCTAssertEqual(line.value(at: 10), 3)
    XCTAssertEqual(line.value(at: 20), -1)
  }

  func test_value_betweenPoints_isInterpolatedLinearly() {
    XCTAssertEqual(line.value(at: 5), 2, accuracy: 1e-12)
    XCTAssertEqual(line.value(at: 15), 1, accuracy: 1e-12)
  }

  func test_value_outsideThePoints_isTheValueOfTheNearestPoint() {
    XCTAssertEqual(line.value(at: -.infinity), 1)
    XCTAssertEqual(line.value(at: -5), 1)
    XCTAssertEqual(line.value(at: .infinity), -1)
  }

  func test_value_ofALineWithOnePoint_isTheSameEverywhere() {
    let point = PiecewiseLine(x: [3], y: [7])
    for position in [-Double.infinity, 0, 3, 4] { XCTAssertEqual(point.value(at: position), 7) }
  }

  func test_crossings_ofAValue_areAllPositionsWithThatValue() {
    XCTAssertEqual(line.crossings(of: 2), [5, 12.5])
    XCTAssertEqual(line.crossings(of: 0), [17.5])
    XCTAssertEqual(line.crossings(of: 3), [])
  }
}

final class FrequencyTableTests: XCTestCase {
  private let table = FrequencyTable(frequencies: [250, 1000], values: [0, 20])

  func test_value_betweenPoints_isLinearOnLogFrequency() {
    XCTAssertEqual(table.value(at: 500), 10, accuracy: 1e-12)
    XCTAssertEqual(table.value(at: 250), 0)
    XCTAssertEqual(table.value(at: 1000), 20)
  }

  func test_value_outsideThePoints_isTheValueOfTheNearestPoint() {
    XCTAssertEqual(table.value(at: 1), 0)
    XCTAssertEqual(table.value(at: 30_000), 20)
  }

  func test_crossings_areTheFrequenciesAtWhichTheValueOccurs() {
    XCTAssertEqual(table.crossings(of: 10).map { $0.rounded() }, [500])
  }
}
