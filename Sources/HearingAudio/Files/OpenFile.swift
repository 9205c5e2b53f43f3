internal import Foundation

/// System calls with a path argument.
enum OpenFile {
  /// Opens a file with the flags of `open(2)`. If opening fails, the result is negative and the
  /// reason is in `errno`. A new file gets read and write permissions, limited by the process's
  /// umask.
  static func descriptor(_ path: String, _ flags: Int32) -> Int32 {
    // Unsafe: the path stays valid during the call.
    unsafe open(path, flags | O_CLOEXEC, 0o666)
  }

  /// The type and the permissions of the file at a path. If the call fails, the result is nil and
  /// the reason is in `errno`.
  static func mode(_ path: String) -> mode_t? {
    var information = stat()
    // Unsafe: the path and `information` stay valid during the call.
    return unsafe stat(path, &information) == 0 ? information.st_mode : nil
  }
}
