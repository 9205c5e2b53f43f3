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

/// System calls with a path argument.
enum OpenFile {
  /// Opens a file with the flags of `open(2)`. If opening fails, the result is negative and the
  /// reason is in `errno`. A new file gets read and write permissions, limited by the process's
  /// umask.
  static func descriptor(_ path: String, _ flags: Int32) -> Int32 {
    // Unsafe: the path stays valid during the call.
    unsafe open(path, flags | O_CLOEXEC, 0o666)
  }

  /// The type and the permissions of the file at a path. If the call fails, the result is nil and
  /// the reason is in `errno`.
  static func mode(_ path: String) -> mode_t? {
    var information = stat()
    // Unsafe: the path and `information` stay valid during the call.
    return unsafe stat(path, &information) == 0 ? information.st_mode : nil
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
