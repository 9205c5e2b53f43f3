public import Foundation
internal import HearingFitting

/// A file to read, named on the command line.
public struct InputFile: Sendable {
  /// Its path, as it was given.
  public let path: String

  /// A file by its path.
  public init(_ path: String) {
    self.path = path
  }

  /// Its content, but no more than `limit` bytes of it.
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

  /// - Throws: ``CommandFailure/noInput(path:reason:)`` if there is no such file.
  public func checkExistence() throws(CommandFailure) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .noInput(path: path, reason: "no such file")
    }
    guard !isFolder.boolValue else { throw .noInput(path: path, reason: "is a folder") }
  }
}
