internal import Foundation
internal import HearingAudio

/// Tells the folder of a drop under way from one that a dead process left: an advisory lock on the
/// folder itself, which the system lets go of when the process ends, however it ends.
final class DropLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// What became of the attempt to lock a folder.
  enum Outcome {
    case locked(DropLock)
    /// Somebody else holds it.
    case held
    /// The folder is gone.
    case gone
    /// The file system knows no such locks.
    case unsupported
  }

  /// Locks the folder at `path` if nobody else has it.
  static func attempt(_ path: String) throws(FileAccessError) -> Outcome {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT { return .gone }
      throw FileAccessError(path: path, operation: "open", code: code)
    }
    let lock = DropLock(descriptor)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      return errno == EWOULDBLOCK ? .held : .unsupported
    }
    // Between opening and locking, another process may have swept the folder away.
    return isStill(descriptor, path) ? .locked(lock) : .gone
  }

  private static func isStill(_ descriptor: Int32, _ path: String) -> Bool {
    var opened = stat()
    var named = stat()
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }
}
