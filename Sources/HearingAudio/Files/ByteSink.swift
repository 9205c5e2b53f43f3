package import Foundation
package import HearingBuffers

/// A destination for bytes: a file that is replaced atomically, a stream, or memory.
package protocol ByteSink: AnyObject {
  /// Whether ``overwrite(at:with:count:)`` can be used.
  var canOverwrite: Bool { get }

  /// Appends the first `count` bytes of a row.
  func write(_ bytes: Row<UInt8>, count: Int) throws(FileAccessError)

  /// Replaces `count` bytes at `offset` that were already written.
  func overwrite(at offset: Int, with bytes: Row<UInt8>, count: Int) throws(FileAccessError)

  /// Completes the output. If the output is a file, the complete file then appears at its path.
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
        try write(row, count: bytes.count)
      }
    }
    try result.get()
  }
}

/// Opens a sink for `path`. A regular file is created or replaced atomically. If `path` is a pipe
/// or a device, the sink writes to it as a stream.
package func openByteSink(path: String) throws(FileAccessError) -> any ByteSink {
  guard let mode = OpenFile.mode(path) else { return try ReplacingFileSink(path: path) }
  switch mode & S_IFMT {
  case S_IFDIR: throw .isFolder(path: path)
  case S_IFREG: return try ReplacingFileSink(path: path)
  default:
    let descriptor = OpenFile.descriptor(path, O_WRONLY)
    guard descriptor >= 0 else {
      throw FileAccessError(path: path, operation: "open", code: errno)
    }
    return StreamByteSink(descriptor: descriptor, path: path, closesDescriptor: true)
  }
}

/// Collects bytes in memory.
final class MemoryByteSink: ByteSink {
  private(set) var bytes: [UInt8] = []

  var canOverwrite: Bool { true }

  func write(_ bytes: Row<UInt8>, count: Int) {
    self.bytes += (0..<count).map { bytes[$0] }
  }

  func overwrite(at offset: Int, with bytes: Row<UInt8>, count: Int) {
    for index in 0..<count { self.bytes[offset + index] = bytes[index] }
  }

  func commit() throws(FileAccessError) {}

  func abandon() {
    bytes = []
  }
}
