public import Foundation
internal import HearingAudio
internal import HearingFitting

/// Stores pieces in a folder on disk, each in its own subfolder.
///
///     let library = FolderPieceLibrary(folder: URL(fileURLWithPath: "pieces"))
///     let listing = try await library.listing(for: configuration)
///     for record in listing.pieces { print(record.metadata.title) }
///
/// A piece is written to a hidden folder and flushed to the disk; then the folder is renamed in one
/// step. So either the whole piece is visible or nothing, even if the process or the machine fails
/// in between. The next drop, in any process, removes the folders of dead drops; a lock marks the
/// folder of a running drop. Several processes may use one folder.
///
/// The folder may contain other files: names that are not identifiers are ignored, and a folder that
/// is not a whole piece is listed as broken. Every application with a configuration sees all pieces.
/// For pieces on a server, implement ``PieceLibrary``.
///
/// ``listing(for:)``, ``record(of:for:)`` and ``file(_:of:for:)`` read the parts and compare them with the
/// digests of the record, so they take as long as reading the files.
public struct FolderPieceLibrary: PieceLibrary {
  /// The folder; the first drop creates it.
  public let folder: URL

  /// The prefix of the folders of running drops; no identifier starts with it.
  static let stagingPrefix = ".dropping-"
  static let recordName = "piece.json"

  /// The most bytes of a record: 1 MiB, ten times the size of the largest one.
  private static let recordLimit = 1 << 20

  /// Creates a library in a folder.
  ///
  /// - Parameter folder: A file URL; every operation fails with an error for any other URL, and for a
  ///   path that is a file.
  public init(folder: URL) {
    self.folder = folder
  }

  /// The record of one piece, after a check of its parts.
  public func record(
    of identifier: PieceIdentifier, for configuration: PieceConfiguration
  ) async throws(PieceLibraryError) -> PieceRecord {
    try record(of: identifier)
  }

  /// The file of a part in the piece's folder.
  public func file(
    _ part: PiecePart, of record: PieceRecord, for configuration: PieceConfiguration
  ) async throws(PieceLibraryError) -> URL {
    guard let expected = record.byteCounts[part] else {
      throw .noPart(part, of: record.identifier)
    }
    return try file(part, of: record, expected: expected)
  }

  /// The whole pieces and the broken ones; empty if the folder does not exist yet.
  public func listing(
    for configuration: PieceConfiguration
  ) async throws(PieceLibraryError) -> PieceListing {
    var pieces: [PieceRecord] = []
    var broken: [PieceListing.BrokenPiece] = []
    for name in try names() {
      guard let identifier = PieceIdentifier(name), isFolder(place(of: identifier)) else {
        continue
      }
      do throws(PieceLibraryError) {
        pieces.append(try record(of: identifier))
      } catch .notFound {
        continue
      } catch {
        broken.append(.init(identifier: identifier, reason: error))
      }
    }
    return PieceListing(pieces: pieces, broken: broken)
  }

  /// The folder of a piece; an identifier has no character that leads out of the library.
  func place(of identifier: PieceIdentifier) -> URL {
    folder.appendingPathComponent(identifier.text, isDirectory: true)
  }

  /// The names of all entries of the folder, in no order.
  func names() throws(PieceLibraryError) -> [String] {
    do throws(FileAccessError) {
      try checkFolder()
      return try Folder(folder).names()
    } catch .notFound {
      return []
    } catch {
      throw .file(error)
    }
  }

  /// Checks that the library's URL is that of a folder, or of nothing yet.
  func checkFolder() throws(FileAccessError) {
    try FileCopy.checkFileURL(folder)
    switch FileKind(folder, followingLinks: true) {
    case .regularFile, .other: throw .isFile(path: folder.path)
    case .folder, .nothing: break
    }
  }

  private func record(
    of identifier: PieceIdentifier
  ) throws(PieceLibraryError) -> PieceRecord {
    do { try checkFolder() } catch { throw .file(error) }
    let place = place(of: identifier)
    guard isFolder(place) else { throw .notFound(identifier) }
    let record: PieceRecord
    do {
      let file = place.appendingPathComponent(Self.recordName)
      record = try PieceRecord(json: try contents(of: file))
    } catch let error as UnreadableDocument {
      throw .unreadable(identifier, error)
    } catch let error as FileAccessError {
      let reason = UnreadableDocument.inaccessible(reason: "\(Self.recordName): \(error.reason)")
      throw .unreadable(identifier, reason)
    } catch {
      throw .unavailable(reason: "\(error)")
    }
    guard record.identifier == identifier else {
      let reason = "the identifier \"\(record.identifier)\" differs from the name of the folder"
      throw .unreadable(identifier, .invalid(place: "identifier", reason: reason))
    }
    for (part, byteCount) in record.byteCounts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      _ = try file(part, of: record, expected: byteCount)
    }
    return record
  }

  private func file(
    _ part: PiecePart, of record: PieceRecord, expected: Int64
  ) throws(PieceLibraryError) -> URL {
    let file = place(of: record.identifier).appendingPathComponent(
      PieceStaging.name(of: part, coverFormat: record.coverFormat))
    let byteCount = FileKind(file).regularFileByteCount
    guard byteCount == expected else {
      throw .damaged(record.identifier, part: part, byteCount: byteCount, expected: expected)
    }
    let digest: PieceDigest
    do { digest = try PieceDigest(of: file) } catch { throw .file(error) }
    guard digest == record.digests[part] else {
      throw .corrupted(record.identifier, part: part)
    }
    return file
  }

  private func isFolder(_ url: URL) -> Bool {
    FileKind(url) == .folder
  }

  private func contents(of file: URL) throws -> Data {
    guard let byteCount = FileKind(file).regularFileByteCount else {
      throw FileAccessError.notFound(path: file.path)
    }
    guard byteCount <= Self.recordLimit else {
      throw UnreadableDocument.tooLarge(bytes: Int(byteCount), limit: Self.recordLimit)
    }
    return Data(try FileCopy.bytes(of: file, limit: Self.recordLimit))
  }
}
