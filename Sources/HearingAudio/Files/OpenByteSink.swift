internal import Foundation

/// The way to write to `path`: a regular or new file is replaced as a whole, anything else that
/// exists (a pipe, a device) is written to as a stream.
package func openByteSink(path: String) throws(FileAccessError) -> any ByteSink {
  var information = stat()
  let exists = stat(path, &information) == 0
  switch information.st_mode & S_IFMT {
  case S_IFDIR where exists: throw .isFolder(path: path)
  case S_IFREG where exists: return try ReplacingFileSink(path: path)
  default:
    guard exists else { return try ReplacingFileSink(path: path) }
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FileAccessError(path: path, operation: "open", code: errno)
    }
    return StreamByteSink(descriptor: descriptor, path: path, closesDescriptor: true)
  }
}
