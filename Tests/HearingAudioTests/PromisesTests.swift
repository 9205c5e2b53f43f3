import Foundation
import XCTest

/// Checks that the page of promises names only tests that exist.
final class PromisesTests: XCTestCase {
  func test_everyTestNamedOnThePage_exists() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent(
        "Sources/HearingProcessing/HearingProcessing.docc/Promises.md"), encoding: .utf8)
    let tests = try testNames(in: root.appendingPathComponent("Tests"))
    var rowCount = 0
    for line in page.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let number = Int(cells[0]) else { continue }
      rowCount += 1
      XCTAssertEqual(number, rowCount)
      let named = cells[3].components(separatedBy: "`: ")
      guard named.count == 2 else {
        XCTAssertTrue(
          cells[3].hasPrefix("`.ci/") || cells[2].hasPrefix("not kept"), "row \(number)")
        continue
      }
      let name = "\(named[0].dropFirst()).test_\(named[1].dropLast())"
      XCTAssertTrue(tests.contains { $0.hasPrefix(name) }, "row \(number): no test \(name)…")
    }
    XCTAssertEqual(rowCount, 124)
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
