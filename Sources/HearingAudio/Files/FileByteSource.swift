internal import Foundation

/// The bytes of a file, or of whatever else a file descriptor stands for.
///
/// A regular file knows its length and can seek; a pipe, a socket or a terminal is a stream.
package final class FileByteSource: ByteSource {
  package let byteCount: Int?

  private let descriptor: Int32
  private let path: String
  private let closesDescriptor: Bool

  /// Opens the file at `path` for reading.
  package init(path: String) throws(FileAccessError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FileAccessError(path: path, operation: "open", code: errno)
    }
    do {
      byteCount = try Self.length(of: descriptor, path: path)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.path = path
    closesDescriptor = true
  }

  /// Reads from a descriptor that stays its owner's to close; `name` is for messages.
  ///
  /// A regular file is read from its beginning only if the descriptor stands there; otherwise it
  /// is treated as a stream that begins at the current place.
  init(descriptor: Int32, name: String) throws(FileAccessError) {
    let length = try Self.length(of: descriptor, path: name)
    byteCount = lseek(descriptor, 0, SEEK_CUR) == 0 ? length : nil
    self.descriptor = descriptor
    path = name
    closesDescriptor = false
  }

  deinit {
    if closesDescriptor { close(descriptor) }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileAccessError) -> Int {
    while true {
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      let code = errno
      if code != EINTR { throw FileAccessError(path: path, operation: "read", code: code) }
    }
  }

  package func seek(to offset: Int) throws(FileAccessError) {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
      throw FileAccessError(path: path, operation: "seek", code: errno)
    }
  }

  /// The length of a regular file, `nil` for a stream; a folder is an error.
  private static func length(of descriptor: Int32, path: String) throws(FileAccessError) -> Int? {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else {
      throw FileAccessError(path: path, operation: "stat", code: errno)
    }
    switch information.st_mode & S_IFMT {
    case S_IFDIR: throw .isFolder(path: path)
    case S_IFREG: return Int(information.st_size)
    default: return nil
    }
  }
}
