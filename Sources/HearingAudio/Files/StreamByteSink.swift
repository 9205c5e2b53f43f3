internal import Foundation

/// Writes to a pipe, a terminal or a device: what is written is gone, nothing can be taken back.
final class StreamByteSink: ByteSink {
  private let descriptor: Int32
  private let path: String
  private let closesDescriptor: Bool

  /// Writes to a descriptor; `path` is for messages.
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
    try writeFully(bytes, to: descriptor, path: path)
  }

  func overwrite(at offset: Int, with bytes: UnsafeRawBufferPointer) throws(FileAccessError) {
    preconditionFailure("a stream cannot be overwritten at \(offset)")
  }

  func commit() throws(FileAccessError) {}

  func abandon() {}
}
