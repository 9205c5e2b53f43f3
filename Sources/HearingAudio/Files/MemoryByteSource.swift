/// Bytes that are in memory already.
final class MemoryByteSource: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var byteCount: Int? { bytes.count }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileAccessError) -> Int {
    let count = min(buffer.count, max(0, bytes.count - position))
    guard count > 0 else { return 0 }
    bytes.withUnsafeBytes { all in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[position..<position + count]))
    }
    position += count
    return count
  }

  func seek(to offset: Int) throws(FileAccessError) {
    position = offset
  }
}
