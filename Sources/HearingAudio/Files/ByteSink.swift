package import Foundation

/// Receives bytes and writes them to a file that is replaced atomically, to a stream, or to memory.
package protocol ByteSink: AnyObject {
  /// Whether ``overwrite(at:with:)`` can be used.
  var canOverwrite: Bool { get }

  /// Appends `bytes`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(FileAccessError)

  /// Replaces bytes that were written before.
  func overwrite(at offset: Int, with bytes: UnsafeRawBufferPointer) throws(FileAccessError)

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
      Result { () throws(FileAccessError) in try unsafe write(bytes) }
    }
    try result.get()
  }
}

/// Opens a sink for `path`. A regular file is created or replaced atomically. If a pipe or a device
/// exists at the path, it is written to as a stream.
package func openByteSink(path: String) throws(FileAccessError) -> any ByteSink {
  var information = stat()
  guard unsafe stat(path, &information) == 0 else { return try ReplacingFileSink(path: path) }
  switch information.st_mode & S_IFMT {
  case S_IFDIR: throw .isFolder(path: path)
  case S_IFREG: return try ReplacingFileSink(path: path)
  default:
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
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

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileAccessError) {
    unsafe self.bytes.append(contentsOf: bytes)
  }

  func overwrite(at offset: Int, with bytes: UnsafeRawBufferPointer) throws(FileAccessError) {
    unsafe self.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }

  func commit() throws(FileAccessError) {}

  func abandon() {
    bytes = []
  }
}
