package import Foundation
package import HearingBuffers

/// A destination for bytes: a file that is replaced atomically, a stream, or memory.
package protocol ByteSink: AnyObject {
  /// Whether earlier bytes can be overwritten.
  var canOverwrite: Bool { get }

  /// Writes the first `count` bytes of a row. If `offset` is nil, appends the bytes. If `offset` is
  /// not nil, overwrites earlier bytes, starting at `offset`.
  func write(_ bytes: Row<UInt8>, count: Int, at offset: Int?) throws(FileAccessError)

  /// Completes the output. If the output is a file, this method makes the complete file appear at
  /// its path.
  func commit() throws(FileAccessError)

  /// Discards the output. Bytes that were written to a stream cannot be discarded.
  func abandon()
}

extension ByteSink {
  /// Appends all bytes of `bytes`.
  package func write(contentsOf bytes: some ContiguousBytes) throws(FileAccessError) {
    // Unsafe: the memory of `bytes` stays valid during the call.
    let result = unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(FileAccessError) in
        guard let row = unsafe Row(reading: bytes) else { return }
        try write(row, count: bytes.count, at: nil)
      }
    }
    try result.get()
  }
}

/// Collects bytes in memory.
final class MemoryByteSink: ByteSink {
  private(set) var bytes: [UInt8] = []

  var canOverwrite: Bool { true }

  func write(_ bytes: Row<UInt8>, count: Int, at offset: Int?) {
    let start = offset ?? self.bytes.count
    let end = offset == nil ? start : start + count
    self.bytes.replaceSubrange(start..<end, with: (0..<count).map { bytes[$0] })
  }

  func commit() throws(FileAccessError) {}

  func abandon() {
    bytes = []
  }
}
