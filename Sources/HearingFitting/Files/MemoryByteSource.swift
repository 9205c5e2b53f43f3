/// Reads bytes from memory.
package final class MemoryByteSource: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package var byteCount: Int? { bytes.count }

  package func read(atMost count: Int) -> [UInt8] {
    let end = min(bytes.count, position + min(count, bytes.count))
    guard position < end else { return [] }
    defer { position = end }
    return Array(bytes[position..<end])
  }

  package func seek(to offset: Int) {
    position = offset
  }
}
