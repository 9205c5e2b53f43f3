import TestSupport

@testable import HearingAudio

/// A stream without a known end that hands its bytes out in small pieces.
final class StreamByteSource: ByteSource {
  private let bytes: [UInt8]
  private let repeatsLastForever: Bool
  private var position = 0
  private var generator = SeededGenerator(seed: 5)

  init(_ bytes: [UInt8], repeatsLastForever: Bool = false) {
    self.bytes = bytes
    self.repeatsLastForever = repeatsLastForever
  }

  var byteCount: Int? { nil }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileAccessError) -> Int {
    precondition(buffer.count <= BufferedBytes.windowSize)
    if position == bytes.count {
      guard repeatsLastForever, let last = bytes.last else { return 0 }
      buffer.initializeMemory(as: UInt8.self, repeating: last)
      return buffer.count
    }
    let count = min(buffer.count, bytes.count - position, .random(in: 1...23, using: &generator))
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }

  func seek(to offset: Int) throws(FileAccessError) {
    preconditionFailure("a stream is sought to \(offset)")
  }
}
