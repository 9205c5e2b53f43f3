import Foundation
import XCTest

/// Checks that all tests exist that two documentation pages (promises and rules) name.
final class PromisesTests: XCTestCase {
  private let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  func test_everyTestNamedOnThePromisesPage_exists() throws {
    let tests = try testNames(in: root.appendingPathComponent("Tests"))
    let rows = try numberedRows(of: "Promises")
    for (number, cells) in rows {
      let named = cells[3].components(separatedBy: "`: ")
      guard named.count == 2 else {
        XCTAssertTrue(
          cells[3].hasPrefix("`.ci/") || cells[2].hasPrefix("not kept"), "row \(number)")
        continue
      }
      let name = "\(named[0].dropFirst()).test_\(named[1].dropLast())"
      XCTAssertTrue(tests.contains { $0.hasPrefix(name) }, "row \(number): no test \(name)…")
    }
    XCTAssertEqual(rows.map(\.number), Array(1...124))
  }

  /// Each row of the page names test classes in one of its cells. The class names are in backticks.
  /// A class may be followed by a colon and the beginnings of test names, separated by commas.
  func test_everyTestNamedOnTheRulesPage_exists() throws {
    let tests = try testNames(in: root.appendingPathComponent("Tests"))
    let rows = try numberedRows(of: "HowItIsVerified")
    for (number, cells) in rows {
      for group in cells[2].components(separatedBy: "; ") {
        let parts = group.components(separatedBy: ": ")
        let classes = parts[0].components(separatedBy: ", ")
        let names = parts.count == 2 ? parts[1].components(separatedBy: ", ") : [""]
        for name in names {
          for type in classes where type.hasSuffix("Tests`") {
            let start = "\(type.dropFirst().dropLast()).test_\(name.replacing("…", with: ""))"
            XCTAssertTrue(
              tests.contains { $0.hasPrefix(start) }, "row \(number): no test \(start)…")
          }
        }
      }
    }
    XCTAssertGreaterThan(rows.count, 30)
  }

  /// The table rows that begin with a number. The result contains the number and the cells of each
  /// row.
  private func numberedRows(of page: String) throws -> [(number: Int, cells: [String])] {
    let page = try String(
      contentsOf: root.appendingPathComponent(
        "Sources/HearingProcessing/HearingProcessing.docc/\(page).md"), encoding: .utf8)
    return page.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("| ") else { return nil }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return Int(cells[0]).map { ($0, cells) }
    }
  }

  /// The names of all tests, in the form `Class.test_name`.
  private func testNames(in folder: URL) throws -> [String] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var names: [String] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      var type = ""
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        if let word = word(after: "final class ", in: line) { type = String(word) }
        if let word = word(after: "func test_", in: line) { names.append("\(type).test_\(word)") }
      }
    }
    return names
  }

  private func word(after prefix: String, in line: Substring) -> Substring? {
    guard let start = line.range(of: prefix)?.upperBound else { return nil }
    return line[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
