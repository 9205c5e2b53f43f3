/// Bytes in order, from a file, a pipe or memory.
package protocol ByteSource: AnyObject {
  /// The length of the whole source in bytes; `nil` for a stream, which does not know its end.
  var byteCount: Int? { get }

  /// Reads up to `buffer.count` bytes and returns how many came; 0 only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileAccessError) -> Int

  /// Goes to `offset` bytes from the beginning; called only where ``byteCount`` is known.
  func seek(to offset: Int) throws(FileAccessError)
}
