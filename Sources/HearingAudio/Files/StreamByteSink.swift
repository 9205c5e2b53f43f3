internal import Foundation

/// Writes to a pipe, a terminal or a device, where written bytes cannot be changed.
final class StreamByteSink: ByteSink {
  private let descriptor: Int32
  private let path: String
  private let closesDescriptor: Bool

  /// Writes to a descriptor; `path` appears in error messages.
  init(descriptor: Int32, path: String, closesDescriptor: Bool) {
    self.descriptor = descriptor
    self.path = path
    self.closesDescriptor = closesDescriptor
  }

  deinit {
    if closesDescriptor { close(descriptor) }
  }

  var canOverwrite: Bool { false }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileAccessError) {
    // Unsafe: C functions get paths and memory that stay valid during the call.
    try unsafe Self.write(bytes, to: descriptor, path: path)
  }

  func overwrite(at offset: Int, with bytes: UnsafeRawBufferPointer) throws(FileAccessError) {
    preconditionFailure("a stream cannot be overwritten at \(offset)")
  }

  func commit() throws(FileAccessError) {}

  func abandon() {}

  /// Writes all of `bytes` to `descriptor`, with several system calls if necessary.
  static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String
  ) throws(FileAccessError) {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let count = unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
        continue
      }
      let code = errno
      if code != EINTR { throw FileAccessError(path: path, operation: "write", code: code) }
    }
  }
}
