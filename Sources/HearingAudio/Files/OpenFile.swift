internal import Foundation

/// Calls of the operating system with a path, which stays valid during the call.
enum OpenFile {
  /// Opens a file with the flags of `open(2)`; negative, with the reason in `errno`, if that fails. A new
  /// file gets the permissions that the process's mask leaves.
  static func descriptor(_ path: String, _ flags: Int32) -> Int32 {
    unsafe open(path, flags | O_CLOEXEC, 0o666)
  }

  /// The type and the permissions of what exists at a path; nil, with the reason in `errno`, if that
  /// fails.
  static func mode(_ path: String) -> mode_t? {
    var information = stat()
    return unsafe stat(path, &information) == 0 ? information.st_mode : nil
  }

  static func remove(_ path: String) {
    _ = unsafe unlink(path)
  }

  /// Replaces what exists at a path, atomically; false, with the reason in `errno`, if that fails.
  static func move(_ path: String, to destination: String) -> Bool {
    unsafe rename(path, destination) == 0
  }

  /// Whether this process may write what exists at a path; otherwise the reason is in `errno`.
  static func isWritable(_ path: String) -> Bool {
    unsafe access(path, W_OK) == 0
  }
}
