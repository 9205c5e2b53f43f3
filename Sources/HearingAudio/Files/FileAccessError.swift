internal import Foundation

/// Why a file could not be opened, read or written: the path and the operating system's reason.
///
///     do {
///       let reader = try WAVReader(path: path)
///     } catch .file(.notFound(let path)) {
///       print("no such file: \(path)")
///     }
///
/// The contents of a file have errors of their own, such as ``WAVReader/ReadError``.
public enum FileAccessError: Error, Sendable, Equatable {
  /// Nothing exists at the path that was to be read.
  case notFound(path: String)
  /// The folder in which the file was to be created does not exist.
  case folderNotFound(path: String)
  /// The path leads to a folder where a file is needed.
  case isFolder(path: String)
  /// The file or its folder may not be read or written by this process.
  case permissionDenied(path: String)
  /// The disk is full, or the quota used up.
  case noSpaceLeft(path: String)
  /// Any other refusal of the operating system: the call, its error number and the text for it.
  case system(path: String, operation: String, code: Int32, reason: String)
}

extension FileAccessError: CustomStringConvertible {
  /// One line that says what failed, where and why.
  public var description: String {
    switch self {
    case .notFound(let path): "'\(path)': no such file"
    case .folderNotFound(let path): "'\(path)': the folder does not exist"
    case .isFolder(let path): "'\(path)': is a folder, not a file"
    case .permissionDenied(let path): "'\(path)': permission denied"
    case .noSpaceLeft(let path): "'\(path)': no space left on the disk"
    case .system(let path, let operation, let code, let reason):
      "'\(path)': \(operation): \(reason) (error \(code))"
    }
  }
}

extension FileAccessError {
  /// The error for `code`, an `errno`, of the system call `operation` upon `path`.
  init(path: String, operation: String, code: Int32) {
    switch code {
    case ENOENT: self = .notFound(path: path)
    case EISDIR: self = .isFolder(path: path)
    case EACCES, EPERM, EROFS: self = .permissionDenied(path: path)
    case ENOSPC, EDQUOT: self = .noSpaceLeft(path: path)
    default:
      self = .system(
        path: path, operation: operation, code: code, reason: String(cString: strerror(code)))
    }
  }
}
