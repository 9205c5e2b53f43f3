internal import Foundation
package import HearingFitting

/// An error while a file is opened, read or written. The error contains the path and the operating
/// system's reason.
///
///     do {
///       let reader = try WAVReader(path: path)
///     } catch .file(.notFound(let path)) {
///       print("no such file: \(path)")
///     }
///
/// Errors in the contents of a file have separate types, such as ``WAVReadError``.
public enum FileAccessError: Error, Sendable, Equatable {
  /// There is no file or folder at the path.
  case notFound(path: String)
  /// The folder for the new file does not exist.
  case folderNotFound(path: String)
  /// The path refers to a folder, but a file is needed.
  case isFolder(path: String)
  /// The path refers to a file, but a folder is needed.
  case isFile(path: String)
  /// The URL is not a file URL, for example a web address.
  case notFileURL(url: String)
  /// This process is not permitted to read or write the file or its folder.
  case permissionDenied(path: String)
  /// The disk is full, or the disk quota is used up.
  case noSpaceLeft(path: String)
  /// Any other error of the operating system. The associated values are the path, the system call,
  /// the error number and the error message.
  case system(path: String, operation: String, code: Int32, reason: String)
}

extension FileAccessError: CustomStringConvertible {
  /// The path or URL of the file or folder that caused the error.
  public var path: String {
    switch self {
    case .notFound(let path), .folderNotFound(let path), .isFolder(let path), .isFile(let path),
      .notFileURL(let path), .permissionDenied(let path), .noSpaceLeft(let path),
      .system(let path, _, _, _):
      path
    }
  }

  /// The reason in a few words, without the path.
  public var reason: String {
    switch self {
    case .notFound: "no such file"
    case .folderNotFound: "the folder does not exist"
    case .isFolder: "is a folder, not a file"
    case .isFile: "is a file, not a folder"
    case .notFileURL: "is not a file URL; only files on this device can be used"
    case .permissionDenied: "permission denied"
    case .noSpaceLeft: "no space left on the disk"
    case .system(_, let operation, let code, let reason): "\(operation): \(reason) (error \(code))"
    }
  }

  /// The path and the reason in one line.
  public var description: String { "'\(path)': \(reason)" }
}

extension FileAccessError {
  /// Creates the error for a failed system call. `operation` is the name of the call, and `code` is
  /// the value of `errno`.
  package init(path: String, operation: String, code: Int32) {
    switch code {
    case ENOENT: self = .notFound(path: path)
    case EISDIR: self = .isFolder(path: path)
    case EACCES, EPERM, EROFS: self = .permissionDenied(path: path)
    case ENOSPC, EDQUOT: self = .noSpaceLeft(path: path)
    default:
      // Unsafe: the text is copied immediately, because a later call of `strerror` may overwrite
      // the text.
      self = unsafe .system(
        path: path, operation: operation, code: code, reason: String(cString: strerror(code)))
    }
  }

  /// Creates the error for a failed system call of a `ByteSource`.
  package init(_ failure: FileFailure) {
    self.init(path: failure.path, operation: failure.operation, code: failure.code)
  }
}
