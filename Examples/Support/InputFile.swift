public import Foundation
internal import HearingFitting

/// An input file named on the command line.
public struct InputFile: Sendable {
  /// The path as the user typed it.
  public let path: String

  /// Creates an input file with a path.
  public init(_ path: String) {
    self.path = path
  }

  /// Returns the content, but at most its first `limit` bytes.
  ///
  /// - Throws: ``CommandFailure/noInput(path:reason:)``.
  public func data(limit: Int) throws(CommandFailure) -> Data {
    try checkExistence()
    do {
      return Data(try FileByteSource(path: path).readAll(limit: limit))
    } catch {
      throw .noInput(path: path, reason: SystemReason.text(ofNumber: error.code))
    }
  }

  /// Throws an error if the file does not exist.
  ///
  /// - Throws: ``CommandFailure/noInput(path:reason:)``.
  public func checkExistence() throws(CommandFailure) {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .noInput(path: path, reason: "no such file")
    }
    guard !isFolder.boolValue else { throw .noInput(path: path, reason: "is a folder") }
  }

  /// Throws an error if the file does not exist, or if it is a pipe or a device. Opening a pipe
  /// would block until a writer opens it.
  ///
  /// - Throws: ``CommandFailure/noInput(path:reason:)`` or
  ///   ``CommandFailure/badData(input:reason:)``.
  public func checkIsRegular() throws(CommandFailure) {
    try checkExistence()
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .badData(input: path, reason: "is a stream, not a regular file")
    }
  }
}
