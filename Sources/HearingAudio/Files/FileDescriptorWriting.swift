internal import Foundation

/// Writes all of `bytes` to `descriptor`, however many calls that takes.
func writeFully(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String
) throws(FileAccessError) {
  var rest = bytes
  while !rest.isEmpty {
    let count = write(descriptor, rest.baseAddress, rest.count)
    if count >= 0 {
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      continue
    }
    let code = errno
    if code != EINTR { throw FileAccessError(path: path, operation: "write", code: code) }
  }
}
