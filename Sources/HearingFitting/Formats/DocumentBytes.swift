import Foundation

/// The bytes of a document, read one chunk at a time.
struct DocumentBytes {
  /// The number of bytes in a chunk: 256 KiB.
  static let chunkSize = 256 * 1024

  private let source: any ByteSource

  /// Reads the bytes of a file.
  init(contentsOf url: URL) throws(UnreadableDocument) {
    let name = url.lastPathComponent.inQuotationMarks
    guard url.isFileURL else { throw .inaccessible(reason: "there is no file \(name)") }
    do {
      source = try FileByteSource(path: url.path)
    } catch {
      switch error.code {
      case ENOENT, ENOTDIR: throw .inaccessible(reason: "there is no file \(name)")
      case EISDIR: throw .inaccessible(reason: "\(name) is a folder")
      case EACCES, EPERM: throw .inaccessible(reason: "there is no permission to read \(name)")
      default: throw Self.unreadable(error)
      }
    }
  }

  /// Reads the bytes of data in memory.
  init(_ data: Data) { source = MemoryByteSource(Array(data)) }

  /// Returns the next `count` bytes, or fewer bytes at the end of the document.
  func next(_ count: Int = chunkSize) throws(UnreadableDocument) -> [UInt8] {
    do { return try source.readAll(limit: count) } catch { throw Self.unreadable(error) }
  }

  private static func unreadable(_ failure: FileFailure) -> UnreadableDocument {
    let reason = unsafe String(cString: strerror(failure.code))
    return .inaccessible(reason: "the file cannot be read: \(reason)".singleLine(limit: 300))
  }
}
