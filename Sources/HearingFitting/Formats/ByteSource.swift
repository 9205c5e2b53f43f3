import Foundation

/// The bytes of a file or of memory, a chunk at a time.
struct ByteSource {
  /// The most bytes of a chunk: 256 KiB.
  static let chunkSize = 256 * 1024

  private let stream: InputStream

  /// The bytes of a file.
  init(contentsOf url: URL) throws(UnreadableDocument) {
    let name = url.lastPathComponent.inQuotationMarks
    var isFolder: ObjCBool = false
    guard url.isFileURL, FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    else { throw .inaccessible(reason: "there is no file \(name)") }
    guard !isFolder.boolValue else { throw .inaccessible(reason: "\(name) is a folder") }
    guard FileManager.default.isReadableFile(atPath: url.path), let stream = InputStream(url: url)
    else { throw .inaccessible(reason: "\(name) must not be read") }
    self.stream = stream
    stream.open()
    guard stream.streamStatus != .error else { throw failure }
  }

  /// The bytes of memory.
  init(_ data: Data) {
    stream = InputStream(data: data)
    stream.open()
  }

  /// The next bytes; none at the end.
  func next() throws(UnreadableDocument) -> [UInt8] {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, filled in
      guard let start = buffer.baseAddress else { return }
      count = stream.read(start, maxLength: buffer.count)
      filled = max(0, count)
    }
    guard count >= 0 else { throw failure }
    return bytes
  }

  /// All bytes that are left.
  ///
  /// - Throws: ``UnreadableDocument/tooLarge(bytes:limit:)`` as soon as `first` and they are more
  ///   than `limit`.
  func rest(after first: [UInt8], limit: Int) throws(UnreadableDocument) -> [UInt8] {
    var bytes = first
    while bytes.count <= limit {
      let chunk = try next()
      guard !chunk.isEmpty else { return bytes }
      bytes += chunk
    }
    throw .tooLarge(bytes: bytes.count, limit: limit)
  }

  private var failure: UnreadableDocument {
    let reason =
      stream.streamError.map { ($0 as NSError).localizedDescription } ?? "no reason given"
    return .inaccessible(reason: "the file cannot be read: \(reason)".singleLine(limit: 300))
  }
}
