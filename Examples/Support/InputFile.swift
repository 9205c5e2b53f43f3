public import Foundation

/// An input file named on the command line.
public struct InputFile: Sendable {
  /// The path as given.
  public let path: String

  /// A file by its path.
  public init(_ path: String) {
    self.path = path
  }

  /// The first `limit` bytes of the content, or all of it.
  ///
  /// - Throws: ``CommandFailure/noInput(path:reason:)``.
  public func data(limit: Int) throws(CommandFailure) -> Data {
    try checkExistence()
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      var data = Data()
      while data.count < limit,
        let more = try handle.read(upToCount: min(limit - data.count, 1 << 20)), !more.isEmpty
      {
        data += more
      }
      return data
    } catch {
      throw .noInput(path: path, reason: SystemReason.text(of: error))
    }
  }

  /// Fails unless the file exists.
  ///
  /// - Throws: ``CommandFailure/noInput(path:reason:)``.
  public func checkExistence() throws(CommandFailure) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .noInput(path: path, reason: "no such file")
    }
    guard !isFolder.boolValue else { throw .noInput(path: path, reason: "is a folder") }
  }
}
