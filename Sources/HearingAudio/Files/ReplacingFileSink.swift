internal import Foundation
package import HearingBuffers

/// Writes a file that appears under its name only when it is complete.
///
/// The bytes are written to a temporary file in the same folder. ``commit()`` flushes the temporary
/// file to the disk and renames it in one step. Another process therefore sees either the old file
/// or the complete new file. Until ``commit()`` is called, the old file is unchanged. The new file
/// gets the permissions of the old file. If the path is a symbolic link, the link remains and its
/// target is replaced.
package final class ReplacingFileSink: ByteSink {
  private let destination: String
  private let temporary: String
  private var descriptor: Int32

  /// Starts to replace the file at `path`. The file need not exist yet.
  package init(path: String) throws(FileAccessError) {
    destination = Self.resolved(path)
    let folder = Self.folder(of: destination)
    let name = ".staged-\(String(UInt64.random(in: .min ... .max), radix: 16)).part"
    temporary = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    let mode = try Self.permissions(at: destination)
    descriptor = OpenFile.descriptor(temporary, O_WRONLY | O_CREAT | O_EXCL)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT { throw .folderNotFound(path: folder) }
      throw FileAccessError(path: path, operation: "create", code: code)
    }
    // This call fails on a file system without permissions. The failure is ignored, because such a
    // file system has no permissions to preserve.
    if let mode { _ = fchmod(descriptor, mode & 0o777) }
  }

  deinit {
    abandon()
  }

  package var canOverwrite: Bool { true }

  package func write(_ bytes: Row<UInt8>, count: Int) throws(FileAccessError) {
    try StreamByteSink.write(bytes, count: count, to: descriptor, path: destination)
  }

  package func overwrite(
    at offset: Int, with bytes: Row<UInt8>, count: Int
  ) throws(FileAccessError) {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
      throw FileAccessError(path: destination, operation: "seek", code: errno)
    }
    try StreamByteSink.write(bytes, count: count, to: descriptor, path: destination)
    guard lseek(descriptor, 0, SEEK_END) >= 0 else {
      throw FileAccessError(path: destination, operation: "seek", code: errno)
    }
  }

  package func commit() throws(FileAccessError) {
    // Some file systems do not support `fsync` and return EINVAL. The rename operation is still
    // atomic.
    if fsync(descriptor) != 0, errno != EINVAL {
      throw FileAccessError(path: destination, operation: "synchronize", code: errno)
    }
    let closed = close(descriptor)
    descriptor = -1
    // Unsafe: both paths stay valid during the calls.
    guard closed == 0, unsafe rename(temporary, destination) == 0 else {
      let code = errno
      unsafe unlink(temporary)
      throw FileAccessError(path: destination, operation: "rename", code: code)
    }
    // Flushes the new directory entry to the disk. A failure is ignored, because the file already
    // has its final name.
    let folder = OpenFile.descriptor(Self.folder(of: destination), O_RDONLY)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  package func abandon() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
    // Unsafe: the path stays valid during the call.
    unsafe unlink(temporary)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the target if `path` is a symbolic link. Returns `path` itself if no file exists yet.
  private static func resolved(_ path: String) -> String {
    // Unsafe: `realpath` allocates the result. The result is copied and then freed.
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The permissions of the file that will be replaced. Nil if the file does not exist yet.
  private static func permissions(at path: String) throws(FileAccessError) -> mode_t? {
    guard let mode = OpenFile.mode(path) else {
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
