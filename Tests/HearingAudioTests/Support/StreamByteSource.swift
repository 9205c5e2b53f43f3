import HearingFitting
import TestSupport

@testable import HearingAudio

/// A stream of unknown length that delivers its bytes in small pieces.
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

  func read(atMost limit: Int) -> [UInt8] {
    precondition(limit <= BufferedBytes.windowSize)
    if position == bytes.count {
      guard repeatsLastForever, let last = bytes.last else { return [] }
      return Array(repeating: last, count: limit)
    }
    let count = min(limit, bytes.count - position, .random(in: 1...23, using: &generator))
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  func seek(to offset: Int) {
    preconditionFailure("seek to \(offset) in a stream")
  }
}
