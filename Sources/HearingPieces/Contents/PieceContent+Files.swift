internal import Foundation
internal import HearingAudio

extension PieceContent {
  /// How many bytes there are; nil where there is no regular file.
  var byteCount: Int64? {
    switch self {
    case .data(let data): Int64(data.count)
    case .file(let url): FileKind(url, followingLinks: true).regularFileByteCount
    }
  }

  /// The first bytes, at most `limit`.
  func bytes(limit: Int) throws(FileAccessError) -> [UInt8] {
    switch self {
    case .data(let data): Array(data.prefix(limit))
    case .file(let url): try FileCopy.bytes(of: url, limit: limit)
    }
  }

  /// Puts a copy at `destination`, with `copy` where it comes from a file.
  func write(to destination: URL, with copy: FileCopy) throws {
    switch self {
    case .data(let data): try FileCopy.write(data, to: destination)
    case .file(let url): try copy.copy(url, to: destination)
    }
  }
}
