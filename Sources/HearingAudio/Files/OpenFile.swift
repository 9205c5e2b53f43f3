internal import Foundation

/// System calls with a path argument. The memory of the path stays valid during each call.
enum OpenFile {
  /// Opens a file with the flags of `open(2)`. On failure, the result is negative and the reason is
  /// in `errno`. A new file gets read and write permissions, limited by the process's umask.
  static func descriptor(_ path: String, _ flags: Int32) -> Int32 {
    unsafe open(path, flags | O_CLOEXEC, 0o666)
  }

  /// The type and the permissions of the file at a path. On failure, the result is nil and the
  /// reason is in `errno`.
  static func mode(_ path: String) -> mode_t? {
    var information = stat()
    return unsafe stat(path, &information) == 0 ? information.st_mode : nil
  }

  static func remove(_ path: String) {
    _ = unsafe unlink(path)
  }

  /// Renames a file and replaces `destination` atomically. On failure, the result is false and the
  /// reason is in `errno`.
  static func move(_ path: String, to destination: String) -> Bool {
    unsafe rename(path, destination) == 0
  }

  /// Whether this process may write to the file at a path. If not, the reason is in `errno`.
  static func isWritable(_ path: String) -> Bool {
    unsafe access(path, W_OK) == 0
  }
}
