internal import Foundation
internal import HearingBuffers

/// Writes to a pipe, a terminal or a device. Bytes that have been written cannot be changed.
final class StreamByteSink: ByteSink {
  private let descriptor: Int32
  private let path: String
  private let closesDescriptor: Bool

  /// Creates a sink for a file descriptor. `path` is used only in error messages.
  init(descriptor: Int32, path: String, closesDescriptor: Bool) {
    self.descriptor = descriptor
    self.path = path
    self.closesDescriptor = closesDescriptor
  }

  deinit {
    if closesDescriptor { close(descriptor) }
  }

  var canOverwrite: Bool { false }

  func write(_ bytes: Row<UInt8>, count: Int) throws(FileAccessError) {
    try Self.write(bytes, count: count, to: descriptor, path: path)
  }

  func overwrite(
    at offset: Int, with bytes: Row<UInt8>, count: Int
  ) throws(FileAccessError) {
    preconditionFailure("a stream cannot be overwritten at \(offset)")
  }

  func commit() throws(FileAccessError) {}

  func abandon() {}

  /// Writes bytes to `descriptor`, with several system calls if necessary.
  static func write(
    _ bytes: Row<UInt8>, count: Int, to descriptor: Int32, path: String
  ) throws(FileAccessError) {
    var done = 0
    while done < count {
      let remaining = bytes.part(from: done, count: count - done)
      // Unsafe: the system reads the bytes of the row during this call only.
      let written = unsafe Foundation.write(descriptor, remaining.pointer, count - done)
      if written >= 0 {
        done += written
        continue
      }
      let code = errno
      if code != EINTR { throw FileAccessError(path: path, operation: "write", code: code) }
    }
  }
}
