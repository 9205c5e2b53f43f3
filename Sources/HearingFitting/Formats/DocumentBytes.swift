import Foundation

/// The bytes of a document, read one chunk at a time.
struct DocumentBytes {
  /// The maximum size of a chunk: 256 KiB.
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
  init(_ data: Data) {
    source = MemoryByteSource(Array(data))
  }

  /// Returns the next bytes, or no bytes at the end of the document.
  func next() throws(UnreadableDocument) -> [UInt8] {
    do { return try source.read(atMost: Self.chunkSize) } catch { throw Self.unreadable(error) }
  }

  /// Returns `first`, followed by all remaining bytes.
  ///
  /// - Throws: ``UnreadableDocument/tooLarge(bytes:limit:)`` as soon as `first` and the bytes that
  ///   were read exceed `limit` together.
  func rest(after first: [UInt8], limit: Int) throws(UnreadableDocument) -> [UInt8] {
    var bytes = first
    do {
      bytes += try source.readAll(limit: max(0, limit + 1 - first.count))
    } catch {
      throw Self.unreadable(error)
    }
    guard bytes.count <= limit else { throw .tooLarge(bytes: bytes.count, limit: limit) }
    return bytes
  }

  private static func unreadable(_ failure: FileFailure) -> UnreadableDocument {
    let reason = unsafe String(cString: strerror(failure.code))
    return .inaccessible(reason: "the file cannot be read: \(reason)".singleLine(limit: 300))
  }
}
