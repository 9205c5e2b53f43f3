/// A destination for bytes: a file that is replaced atomically, a stream, or memory.
package protocol ByteSink: AnyObject {
  /// Whether bytes that have already been written can be overwritten.
  var canOverwrite: Bool { get }

  /// Writes bytes. If `offset` is nil, appends the bytes. If `offset` is a number, overwrites the
  /// bytes from this offset on.
  func write(_ bytes: [UInt8], at offset: Int?) throws(FileAccessError)

  /// Completes the output. If the output is a file, the complete file appears at its path.
  func commit() throws(FileAccessError)

  /// Discards the output. Bytes that were written to a stream cannot be discarded.
  func abandon()
}

/// Collects bytes in memory.
final class MemoryByteSink: ByteSink {
  private(set) var bytes: [UInt8] = []

  var canOverwrite: Bool { true }

  func write(_ bytes: [UInt8], at offset: Int?) {
    let start = offset ?? self.bytes.count
    let end = offset == nil ? start : start + bytes.count
    self.bytes.replaceSubrange(start..<end, with: bytes)
  }

  func commit() throws(FileAccessError) {}

  func abandon() {
    bytes = []
  }
}
