public import Foundation

/// Compares the code on documentation pages with the passages of a test that compile the same code.
///
/// A passage is enclosed in the lines `// begin` and `// end`, indented like a test's body:
///
///     XCTAssertEqual(
///       try DocumentedLines.printed(on: page), try DocumentedLines.compiled(in: #filePath))
public enum DocumentedLines {
  /// Every passage of a test's file, in order, without its indentation.
  public static func compiled(in file: String) throws -> [String] {
    try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
      .components(separatedBy: "    // begin\n").dropFirst()
      .compactMap { $0.components(separatedBy: "    // end\n").first }
      .map(unindented)
  }

  /// Every block of Swift on a page, in order.
  public static func printed(on page: URL) throws -> [String] {
    try String(contentsOf: page, encoding: .utf8)
      .components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
  }

  /// The URL of the file at `path` in the package. `file` is the path of one of the package's
  /// tests.
  public static func page(_ path: String, from file: String) -> URL {
    let tests = URL(fileURLWithPath: file).pathComponents.lastIndex(of: "Tests") ?? 0
    var root = URL(fileURLWithPath: file)
    for _ in tests..<root.pathComponents.count { root.deleteLastPathComponent() }
    return root.appendingPathComponent(path)
  }

  private static func unindented(_ passage: String) -> String {
    passage.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }.joined(separator: "\n")
  }
}
