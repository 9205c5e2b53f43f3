/// Collects bytes in memory.
final class MemoryByteSink: ByteSink {
  private(set) var bytes: [UInt8] = []

  var canOverwrite: Bool { true }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileAccessError) {
    self.bytes.append(contentsOf: bytes)
  }

  func overwrite(at offset: Int, with bytes: UnsafeRawBufferPointer) throws(FileAccessError) {
    self.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }

  func commit() throws(FileAccessError) {}

  func abandon() {
    bytes = []
  }
}
