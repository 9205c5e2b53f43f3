internal import Foundation

/// Replaces a file, or writes a stream to a pipe, a terminal or a device.
///
/// A new file appears under its name only when the file is complete. Until ``commit()`` is called,
/// the bytes are in a temporary file in the same folder, and the old file is unchanged.
/// ``commit()`` flushes the temporary file to the disk, and then renames the temporary file
/// atomically to its final name. Therefore another process can read only the old file or the
/// complete new file. The new file gets the permissions of the old file. If the path is a symbolic
/// link, the link remains, and the file to which the link points is replaced.
///
/// Bytes that have been written to a stream cannot be changed.
package final class FileByteSink: ByteSink {
  /// The path of the finished file. If the output is a stream, `path` is the name of the stream in
  /// error messages.
  private let path: String
  /// The path of the temporary file. Nil for a stream.
  private let temporary: String?
  private let closesDescriptor: Bool
  private var descriptor: Int32

  /// Creates a sink that writes to a file descriptor as a stream. `path` is used only in error
  /// messages.
  init(descriptor: Int32, path: String, closesDescriptor: Bool) {
    self.path = path
    temporary = nil
    self.closesDescriptor = closesDescriptor
    self.descriptor = descriptor
  }

  /// Opens a sink for `path`. A regular file is created or replaced. A pipe or a device gets the
  /// bytes as a stream.
  package convenience init(path: String) throws(FileAccessError) {
    guard let mode = Self.mode(path), ![S_IFDIR, S_IFREG].contains(mode & S_IFMT) else {
      try self.init(replacing: path)
      return
    }
    let descriptor = Self.open(path, O_WRONLY)
    guard descriptor >= 0 else {
      throw FileAccessError(path: path, operation: "open", code: errno)
    }
    self.init(descriptor: descriptor, path: path, closesDescriptor: true)
  }

  /// Opens a sink that replaces the file at `path`. The file need not exist yet.
  package init(replacing path: String) throws(FileAccessError) {
    self.path = Self.resolved(path)
    let folder = Self.folder(of: self.path)
    let name = ".staged-\(String(UInt64.random(in: .min ... .max), radix: 16)).part"
    let temporary = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    let mode = try Self.permissions(at: self.path)
    descriptor = Self.open(temporary, O_WRONLY | O_CREAT | O_EXCL)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT { throw .folderNotFound(path: folder) }
      throw FileAccessError(path: path, operation: "create", code: code)
    }
    self.temporary = temporary
    closesDescriptor = true
    // `fchmod` fails on a file system that stores no permissions. The failure of `fchmod` is
    // ignored, because the old file had no permissions either.
    if let mode { _ = fchmod(descriptor, mode & 0o777) }
  }

  deinit { abandon() }

  package var canOverwrite: Bool { temporary != nil }

  package func write(_ bytes: [UInt8], at offset: Int?) throws(FileAccessError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Unsafe: the system reads the bytes only during `pwrite` or `write`.
      let (written, code) = unsafe rest.withUnsafeBytes { rest in
        let written =
          if let offset {
            unsafe pwrite(
              descriptor, rest.baseAddress, rest.count, off_t(offset + bytes.count - rest.count))
          } else {
            unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
          }
        return (written, errno)
      }
      if written >= 0 {
        rest.removeFirst(written)
      } else if code != EINTR {
        throw FileAccessError(path: path, operation: "write", code: code)
      }
    }
  }

  package func commit() throws(FileAccessError) {
    guard let temporary else { return }
    // On some file systems, `fsync` fails with EINVAL. The error EINVAL is ignored, because the
    // rename operation is still atomic.
    if fsync(descriptor) != 0, errno != EINVAL {
      throw FileAccessError(path: path, operation: "synchronize", code: errno)
    }
    let closed = close(descriptor)
    descriptor = -1
    // Unsafe: the two paths stay valid while `rename` and `unlink` use the paths.
    guard closed == 0, unsafe rename(temporary, path) == 0 else {
      let code = errno
      unsafe unlink(temporary)
      throw FileAccessError(path: path, operation: "rename", code: code)
    }
    // Flushes the new directory entry to the disk. A failure is ignored, because the file already
    // has its final name.
    let folder = Self.open(Self.folder(of: path), O_RDONLY)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  package func abandon() {
    guard descriptor >= 0, closesDescriptor else { return }
    close(descriptor)
    descriptor = -1
    // Unsafe: the path stays valid during the call.
    if let temporary { unsafe unlink(temporary) }
  }

  /// Opens a file with the flags of `open(2)`. If opening fails, the result is negative and the
  /// reason is in `errno`. A new file gets read and write permissions, limited by the process's
  /// umask.
  private static func open(_ path: String, _ flags: Int32) -> Int32 {
    // Unsafe: the path stays valid during the call.
    unsafe Foundation.open(path, flags | O_CLOEXEC, 0o666)
  }

  /// The type and the permissions of the file at a path. If the call fails, the result is nil and
  /// the reason is in `errno`.
  private static func mode(_ path: String) -> mode_t? {
    var information = stat()
    // Unsafe: the path and `information` stay valid during the call.
    return unsafe stat(path, &information) == 0 ? information.st_mode : nil
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the path with symbolic links resolved. The target of the last link need not exist yet.
  package static func resolved(_ path: String) -> String {
    // Unsafe: `realpath` allocates the result. The result is copied and then freed.
    if let resolved = unsafe realpath(path, nil) {
      defer { unsafe free(resolved) }
      return unsafe String(cString: resolved)
    }
    guard errno == ENOENT,
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    else { return path }
    return resolved(target.hasPrefix("/") ? target : "\(folder(of: path))/\(target)")
  }

  /// The permissions of the file that will be replaced. Nil if the file does not exist yet.
  private static func permissions(at path: String) throws(FileAccessError) -> mode_t? {
    guard let mode = Self.mode(path) else {
      let code = errno
      if code == ENOENT, !path.hasSuffix("/") { return nil }
      throw FileAccessError(path: path, operation: "create", code: code)
    }
    if mode & S_IFMT == S_IFDIR { throw .isFolder(path: path) }
    // Unsafe: the path stays valid during the call.
    if unsafe access(path, W_OK) != 0 {
      throw FileAccessError(path: path, operation: "replace", code: errno)
    }
    return mode
  }
}
