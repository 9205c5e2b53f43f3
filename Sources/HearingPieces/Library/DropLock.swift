internal import Foundation
internal import HearingAudio

/// An advisory lock on the hidden folder of a drop operation. A drop operation adds a piece to a
/// library, and first writes the piece to a hidden folder. The operating system releases the lock
/// when the process of the drop operation ends. If a hidden folder is not locked, the process of
/// its drop operation has therefore ended. This conclusion is valid only if the file system
/// supports locks.
final class DropLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// The outcome of an attempt to lock a folder.
  enum Outcome {
    case locked(DropLock)
    /// Another drop operation holds the lock.
    case held
    /// The folder does not exist anymore, because another process removed it.
    case gone
    /// The file system does not support locks.
    case unsupported
  }

  /// Tries to lock the folder at `path`, and returns the outcome without waiting.
  static func attempt(_ path: String) throws(FileAccessError) -> Outcome {
    // Unsafe: all paths and pointers that this type passes to C functions are valid during the
    // call.
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT { return .gone }
      throw FileAccessError(path: path, operation: "open", code: code)
    }
    let lock = DropLock(descriptor)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      return errno == EWOULDBLOCK ? .held : .unsupported
    }
    // Another process may have removed the folder between the calls of `open` and `flock`.
    return isStill(descriptor, path) ? .locked(lock) : .gone
  }

  private static func isStill(_ descriptor: Int32, _ path: String) -> Bool {
    var opened = stat()
    var named = stat()
    return unsafe fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }
}
