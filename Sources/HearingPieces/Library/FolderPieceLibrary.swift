public import Foundation
internal import HearingAudio
internal import HearingFitting

/// Pieces in a folder on disk, each in a folder of its own.
///
///     let library = FolderPieceLibrary(folder: URL(fileURLWithPath: "pieces"))
///     let listing = try await library.listing(for: configuration)
///     for record in listing.pieces { print(record.metadata.title) }
///
/// A piece is put together in a hidden folder, brought to the disk and renamed into place in one
/// step: whoever looks sees the whole piece or nothing, also after the process or the machine died
/// in between. What dead drops leave behind is removed by the next drop, in whichever process; a
/// drop under way is known by a lock. Several processes may use one folder.
///
/// The folder may hold anything else: names that are no identifiers are passed over, and a folder
/// that is no whole piece is told of as broken. Every application with a configuration may see
/// everything; for pieces on a server, bring another ``PieceLibrary``.
public struct FolderPieceLibrary: PieceLibrary {
  /// The folder; it is made when something is dropped first.
  public let folder: URL

  /// What the folders of drops under way begin with; no identifier does.
  static let stagingPrefix = ".dropping-"
  static let recordName = "piece.json"

  /// The most bytes of a record that are read: 1 MiB, some ten times what the largest takes.
  private static let recordLimit = 1 << 20

  /// A library in `folder`.
  public init(folder: URL) {
    precondition(folder.isFileURL, "\(folder) is not on disk")
    self.folder = folder
  }

  /// The record of one piece, after a look at whether all its parts are there.
  public func record(
    of identifier: PieceIdentifier, for configuration: PieceConfiguration
  ) async throws(PieceLibraryError) -> PieceRecord {
    try record(of: identifier)
  }

  /// The file of a part in the piece's own folder.
  public func file(
    _ part: PiecePart, of record: PieceRecord, for configuration: PieceConfiguration
  ) async throws(PieceLibraryError) -> URL {
    guard let expected = record.byteCounts[part] else {
      throw .noPart(part, of: record.identifier)
    }
    return try file(part, of: record, expected: expected)
  }

  /// The whole pieces, and the broken ones; nothing, where the folder does not exist yet.
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

  /// Where a piece is; an identifier has no character that could lead elsewhere.
  func place(of identifier: PieceIdentifier) -> URL {
    folder.appendingPathComponent(identifier.text, isDirectory: true)
  }

  /// The names of all that is in the folder, in no order.
  func names() throws(PieceLibraryError) -> [String] {
    do throws(FileAccessError) {
      return try Folder(folder).names()
    } catch .notFound {
      return []
    } catch {
      throw .file(error)
    }
  }

  private func record(
    of identifier: PieceIdentifier
  ) throws(PieceLibraryError) -> PieceRecord {
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
      let reason = "\"\(record.identifier)\" is not the name of its folder"
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
