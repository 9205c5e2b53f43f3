/// Where bytes go: a file that is replaced as a whole, a stream, or memory.
package protocol ByteSink: AnyObject {
  /// Whether ``overwrite(at:with:)`` can be used.
  var canOverwrite: Bool { get }

  /// Appends `bytes`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(FileAccessError)

  /// Replaces bytes that were written before.
  func overwrite(at offset: Int, with bytes: UnsafeRawBufferPointer) throws(FileAccessError)

  /// Makes what was written visible under its name, completely or not at all.
  func commit() throws(FileAccessError)

  /// Removes what was written, as far as that can be done.
  func abandon()
}
