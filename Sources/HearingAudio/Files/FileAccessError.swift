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
  /// The file or folder that was asked for.
  public var path: String {
    switch self {
    case .notFound(let path), .folderNotFound(let path), .isFolder(let path),
      .permissionDenied(let path), .noSpaceLeft(let path), .system(let path, _, _, _):
      path
    }
  }

  /// Why, in a few words, without the path.
  public var reason: String {
    switch self {
    case .notFound: "no such file"
    case .folderNotFound: "the folder does not exist"
    case .isFolder: "is a folder, not a file"
    case .permissionDenied: "permission denied"
    case .noSpaceLeft: "no space left on the disk"
    case .system(_, let operation, let code, let reason): "\(operation): \(reason) (error \(code))"
    }
  }

  /// One line that says what failed, where and why.
  public var description: String { "'\(path)': \(reason)" }
}

extension FileAccessError {
  /// The error for `code`, an `errno`, of the system call `operation` upon `path`.
  package init(path: String, operation: String, code: Int32) {
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
