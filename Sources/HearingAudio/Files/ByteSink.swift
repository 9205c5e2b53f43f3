package import Foundation
package import HearingBuffers

/// Receives bytes and writes them to a file that is replaced atomically, to a stream, or to memory.
package protocol ByteSink: AnyObject {
  /// Whether ``overwrite(at:with:)`` can be used.
  var canOverwrite: Bool { get }

  /// Appends the first `count` bytes of a row.
  func write(_ bytes: Row<UInt8>, count: Int) throws(FileAccessError)

  /// Replaces bytes that were written before.
  func overwrite(at offset: Int, with bytes: Row<UInt8>, count: Int) throws(FileAccessError)

  /// Makes the bytes visible under their name, completely or not at all.
  func commit() throws(FileAccessError)

  /// Removes the written bytes if possible.
  func abandon()
}

extension ByteSink {
  /// Appends all of `bytes`.
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

/// Opens a sink for `path`. A regular file is created or replaced atomically. If a pipe or a device
/// exists at the path, it is written to as a stream.
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
