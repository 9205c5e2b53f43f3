import XCTest

@testable import HearingReport

final class ReportTableTests: XCTestCase {
  func test_groupHeadings_spanTheirColumns() throws {
    let table = ReportTable(
      caption: "Gains", corner: "Hz",
      groups: [("Right", ["50", "65"]), ("Left", ["50"]), (nil, ["Sum"])],
      rows: [("1000", ["1", "2", "3", "6"])])
    let parsed = try ParsedElement.parse(table.markup.written)
    let rows = parsed.all("tr")
    XCTAssertEqual(rows.map(\.children.count), [4, 4, 5])
    XCTAssertEqual(rows[0].children.map { $0.attributes["colspan"] }, [nil, "2", "1", "1"])
    XCTAssertEqual(rows[0].children[0].attributes["rowspan"], "2")
    XCTAssertEqual(rows[1].children.map(\.text), ["50", "65", "50", "Sum"])
    // In HTML, the scope "colgroup" is permitted only for headings of column groups. A data cell
    // must not have a scope.
    XCTAssertEqual(parsed.all("colgroup").map { $0.attributes["span"] }, ["1", "2", "1", "1"])
    XCTAssertEqual(
      rows[0].children.map { $0.attributes["scope"] }, ["col", "colgroup", "colgroup", nil])
  }

  func test_tableWithoutGroups_hasOneRowOfHeadings() throws {
    let table = ReportTable(
      caption: "Levels", corner: "Hz", columns: ["Before", "After"],
      rows: [("1000", ["1", "2"])])
    let parsed = try ParsedElement.parse(table.markup.written)
    XCTAssertEqual(parsed.all("tr").count, 2)
    XCTAssertEqual(parsed.first("caption")?.text, "Levels")
  }
}
