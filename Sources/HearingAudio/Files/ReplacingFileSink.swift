internal import Foundation
package import HearingBuffers

/// Writes a file that appears under its name only when it is complete.
///
/// The bytes go to a temporary file in the same folder. ``commit()`` writes them to the disk and
/// renames the file in one step, so another process sees either the old file or the complete new
/// file. Until then the old file is unchanged. The new file gets the permissions of the old one; a
/// symbolic link stays a link.
package final class ReplacingFileSink: ByteSink {
  private let destination: String
  private let temporary: String
  private var descriptor: Int32

  /// Starts a replacement of the file at `path`, which need not exist yet.
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
    // This fails on a file system without permissions; in that case there are none to preserve.
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
    // Some file systems cannot synchronize and return EINVAL; the rename is still atomic.
    if fsync(descriptor) != 0, errno != EINVAL {
      throw FileAccessError(path: destination, operation: "synchronize", code: errno)
    }
    let closed = close(descriptor)
    descriptor = -1
    guard closed == 0, OpenFile.move(temporary, to: destination) else {
      let code = errno
      OpenFile.remove(temporary)
      throw FileAccessError(path: destination, operation: "rename", code: code)
    }
    // The file already has its final name, so a failure to write the folder's entry to the disk is
    // ignored.
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
    OpenFile.remove(temporary)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The target of a symbolic link; `path` itself if no file exists yet.
  private static func resolved(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The permissions of the file to be replaced; nil if it does not exist yet.
  private static func permissions(at path: String) throws(FileAccessError) -> mode_t? {
    guard let mode = OpenFile.mode(path) else {
      let code = errno
      if code == ENOENT, !path.hasSuffix("/") { return nil }
      throw FileAccessError(path: path, operation: "create", code: code)
    }
    if mode & S_IFMT == S_IFDIR { throw .isFolder(path: path) }
    if !OpenFile.isWritable(path) {
      throw FileAccessError(path: path, operation: "replace", code: errno)
    }
    return mode
  }
}
