/// Reads bytes from memory.
package final class MemoryByteSource: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var byteCount: Int? { bytes.count }

  package func read(atMost count: Int) -> [UInt8] {
    let next = bytes.dropFirst(position).prefix(count)
    position += next.count
    return Array(next)
  }

  package func seek(to offset: Int) { position = offset }
}
