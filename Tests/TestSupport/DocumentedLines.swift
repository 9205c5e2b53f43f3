public import Foundation

/// Compares the code on a documentation page with the code in a test. The compiler checks the code
/// in the test, so the code on the page also compiles.
///
/// In the test, each passage of such code is enclosed in the lines `// begin` and `// end`. These
/// lines have the indentation of a test body:
///
///     XCTAssertEqual(
///       try DocumentedLines.printed(on: page), try DocumentedLines.compiled(in: #filePath))
public enum DocumentedLines {
  /// All passages in a test file, in order and without their indentation.
  public static func compiled(in file: String) throws -> [String] {
    try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
      .components(separatedBy: "    // begin\n").dropFirst()
      .compactMap { $0.components(separatedBy: "    // end\n").first }
      .map(unindented)
  }

  /// All blocks of Swift code on a documentation page, in order.
  public static func printed(on page: URL) throws -> [String] {
    try String(contentsOf: page, encoding: .utf8)
      .components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
  }

  /// The URL of the file at `path` in the package. The argument `file` is the path of any test in
  /// the same package.
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
