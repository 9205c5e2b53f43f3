internal import Foundation

/// Reads a file, or anything else that a file descriptor refers to.
///
/// A regular file has a known length and supports seeking. A pipe, a socket or a terminal is a
/// stream without a known length.
package final class FileByteSource: ByteSource {
  package private(set) var byteCount: Int?

  private let descriptor: Int32
  private let path: String
  private let closesDescriptor: Bool

  /// Opens the file at `path`. If the path is a folder, throws a failure with the code `EISDIR`.
  package init(path: String) throws(FileFailure) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: path, operation: "open", code: errno) }
    self.descriptor = descriptor
    self.path = path
    closesDescriptor = true
    // At this line, all stored properties have values. Therefore, if `length` throws an error,
    // `deinit` runs and closes the descriptor.
    byteCount = try Self.length(of: descriptor, path: path)
  }

  /// Creates a source that reads from a file descriptor. The source never closes the descriptor.
  /// Error messages contain `name`.
  ///
  /// If the descriptor is not at the beginning of a regular file, the file is read as a stream from
  /// the current position.
  package init(descriptor: Int32, name: String) throws(FileFailure) {
    let length = try Self.length(of: descriptor, path: name)
    byteCount = lseek(descriptor, 0, SEEK_CUR) == 0 ? length : nil
    self.descriptor = descriptor
    path = name
    closesDescriptor = false
  }

  deinit { if closesDescriptor { close(descriptor) } }

  package func read(atMost count: Int) throws(FileFailure) -> [UInt8] {
    while true {
      var (received, code): (Int, Int32) = (0, 0)
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        received = unsafe Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        code = errno
        filled = max(0, received)
      }
      if received >= 0 { return bytes }
      if code != EINTR { throw FileFailure(path: path, operation: "read", code: code) }
    }
  }

  package func seek(to offset: Int) throws(FileFailure) {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
      throw FileFailure(path: path, operation: "seek", code: errno)
    }
  }

  /// The length of a regular file in bytes; nil for a stream.
  private static func length(of descriptor: Int32, path: String) throws(FileFailure) -> Int? {
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else {
      throw FileFailure(path: path, operation: "stat", code: errno)
    }
    switch information.st_mode & S_IFMT {
    case S_IFDIR: throw FileFailure(path: path, operation: "open", code: EISDIR)
    case S_IFREG: return Int(information.st_size)
    default: return nil
    }
  }
}
