/// Reads bytes in order from a file, a pipe or memory.
package protocol ByteSource: AnyObject {
  /// The length of the whole source in bytes; nil for a stream.
  var byteCount: Int? { get }

  /// Returns the next bytes, at most `count` bytes. The result is empty only at the end of the
  /// source.
  func read(atMost count: Int) throws(FileFailure) -> [UInt8]

  /// Moves the reading position to `offset`, in bytes from the beginning. The ``byteCount`` of the
  /// source must be known.
  func seek(to offset: Int) throws(FileFailure)
}

/// A system call that failed on a file.
package struct FileFailure: Error, Sendable, Equatable {
  /// The path of the file, or the name of the stream.
  package let path: String
  /// The name of the system call, such as "open".
  package let operation: String
  /// The error number of the system call, from `errno`.
  package let code: Int32
}

extension ByteSource {
  /// Returns all remaining bytes, but at most `limit` bytes.
  package func readAll(limit: Int) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let more = try read(atMost: min(limit - bytes.count, 1 << 18))
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }
}
