public import Foundation
internal import HearingAudio

/// The bytes of a part of a piece, in memory or in a file.
public enum PieceContent: Sendable {
  /// Bytes in memory.
  case data(Data)
  /// The file URL of a regular file. The drop operation, which adds the piece to a library, copies
  /// the file. The application must not delete the file before the drop operation has ended.
  case file(URL)

  /// The width and the height of a cover image in pixels.
  public static let coverSide = 640
}

extension PieceContent {
  /// The number of bytes in the content. Nil if the content is a URL that does not refer to a
  /// regular file.
  var byteCount: Int64? {
    switch self {
    case .data(let data): Int64(data.count)
    case .file(let url):
      url.isFileURL ? FileKind(url, followingLinks: true).regularFileByteCount : nil
    }
  }

  /// Returns at most `limit` bytes from the start of the content.
  func bytes(limit: Int) throws(FileAccessError) -> [UInt8] {
    switch self {
    case .data(let data): Array(data.prefix(limit))
    case .file(let url): try FileCopy.bytes(of: url, limit: limit)
    }
  }

  /// Writes a copy of the content to `destination`. If the content is a file, the function copies
  /// the file with `copy`.
  func write(to destination: URL, with copy: FileCopy) throws {
    switch self {
    case .data(let data): try FileCopy.write(data, to: destination)
    case .file(let url): try copy.copy(url, to: destination)
    }
  }
}
