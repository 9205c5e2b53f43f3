import XCTest

@testable import HearingReport

final class LegendTests: XCTestCase {
  private let entries = (1...5).map { Legend.Entry(text: "entry number \($0)") }

  func test_rows_atAnyWidth_haveAsManyEntriesAsFit() {
    XCTAssertEqual(Legend([entries], width: 10_000).rows.map(\.count), [5])
    XCTAssertEqual(Legend([entries], width: 250).rows.map(\.count), [2, 2, 1])
    XCTAssertEqual(Legend([entries], width: 1).rows.map(\.count), [1, 1, 1, 1, 1])
  }

  func test_everyGroupOfEntries_startsANewRow() {
    let legend = Legend([Array(entries[..<2]), [], Array(entries[2...])], width: 10_000)
    XCTAssertEqual(legend.rows.map(\.count), [2, 3])
    XCTAssertEqual(legend.height, 2 * Legend.rowHeight)
  }
}
