public import Foundation

/// A temporary folder for one test. When this object is released, the folder and its content are
/// removed.
public final class ScratchFolder {
  /// The URL of the folder.
  public let url: URL

  /// Creates an empty folder in the temporary folder of the system.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("hearing-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a text file and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a file of bytes and returns its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  /// Returns the content of a file.
  public func data(_ name: String) throws -> Data {
    try Data(contentsOf: url.appendingPathComponent(name))
  }

  /// The names of all files in the folder, including hidden files.
  public func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: url.path))
  }
}
