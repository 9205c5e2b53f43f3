public import Foundation
internal import HearingAudio
internal import HearingFitting

/// Stores pieces in a folder on disk. Each piece has its own subfolder.
///
///     let library = FolderPieceLibrary(folder: URL(fileURLWithPath: "pieces"))
///     let listing = try await library.listing(for: configuration)
///     for record in listing.pieces { print(record.metadata.title) }
///
/// A new piece is written to a hidden folder and flushed to the disk. Then the hidden folder is
/// renamed in one atomic step. Therefore, even if the process or the machine fails, a piece is
/// either completely visible or not visible at all. Several processes may use the same library
/// folder. An operation that adds a piece (a drop operation) locks its hidden folder. The operation
/// also removes the hidden folders of processes that have ended.
///
/// The library folder may contain other files. A file or folder is ignored if its name is not a
/// piece identifier. If a subfolder does not contain a complete piece, the piece is listed as
/// broken. Every application with a configuration can list and open all pieces. To store pieces on
/// a server, implement ``PieceLibrary``.
///
/// ``listing(for:)``, ``record(of:for:)`` and ``file(_:of:format:for:)`` read whole files, and
/// compare the files with the digests (checksums) in the record of the piece. Therefore the
/// duration of a call depends on the size of the files.
public struct FolderPieceLibrary: PieceLibrary {
  /// The folder of the library. The folder is created when the first piece is added.
  public let folder: URL

  /// The prefix of the names of hidden folders. No piece identifier starts with a period.
  static let stagingPrefix = ".dropping-"
  static let recordName = "piece.json"

  /// The maximum size of a record file in bytes (1 MiB). The largest valid record has about 0.1
  /// MiB.
  private static let recordLimit = 1 << 20

  /// Creates a library in a folder.
  ///
  /// - Parameter folder: The file URL of the folder. Every operation fails if the URL is not a file
  ///   URL, or if the URL refers to a file instead of a folder.
  public init(folder: URL) {
    self.folder = folder
  }

  /// Checks all parts of a piece, and then returns the piece's record.
  public func record(
    of identifier: PieceIdentifier, for configuration: PieceConfiguration
  ) async throws(PieceError) -> PieceRecord {
    try await withTaskExecutorPreference(DiskExecutor.shared) { () throws(PieceError) in
      try record(of: identifier)
    }
  }

  /// Returns the format of the original audio file. On Apple's platforms, the result also contains
  /// the formats into which AVFAudio can convert the file.
  public func formats(
    of part: PiecePart, in record: PieceRecord, for configuration: PieceConfiguration
  ) async throws(PieceError) -> [PieceAudioFormat] {
    guard part.isSound, record.has(part) else { return [] }
    let format = record.format(of: part)
    return [format] + SoundConversion.formats(from: format)
  }

  /// Returns a file with a part of the piece. If `format` is nil or the original format, the result
  /// is the file in the piece's folder. For another format, the result is a converted copy in the
  /// folder for temporary files. The application may delete this copy.
  public func file(
    _ part: PiecePart, of record: PieceRecord, format: PieceAudioFormat?,
    for configuration: PieceConfiguration
  ) async throws(PieceError) -> URL {
    do { try checkFolder() } catch { throw .file(error) }
    guard let expected = record.byteCounts[part] else {
      throw .noPart(part, of: record.identifier)
    }
    if let format {
      let available = try await formats(of: part, in: record, for: configuration)
      guard available.contains(format) else {
        throw .noFormat(format, of: part, available: available)
      }
    }
    let original = try await withTaskExecutorPreference(DiskExecutor.shared) {
      () throws(PieceError) in
      try file(part, of: record, expected: expected)
    }
    guard let format, format != record.format(of: part) else { return original }
    let name = "\(record.identifier)-\(UUID().uuidString).\(format.fileExtension)"
    let copy = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    do {
      try await withTaskExecutorPreference(DiskExecutor.shared) {
        try SoundConversion.convert(original, to: copy, format)
      }
    } catch {
      throw .unavailable(reason: "\(error)")
    }
    return copy
  }

  /// Lists the complete pieces, and the pieces that are broken (incomplete or damaged). The listing
  /// is empty if the folder does not exist yet.
  public func listing(
    for configuration: PieceConfiguration
  ) async throws(PieceError) -> PieceListing {
    try await withTaskExecutorPreference(DiskExecutor.shared) { () throws(PieceError) in
      try listing()
    }
  }

  private func listing() throws(PieceError) -> PieceListing {
    var pieces: [PieceRecord] = []
    var broken: [PieceIdentifier: PieceError] = [:]
    for name in try names() {
      guard let identifier = PieceIdentifier(name), isFolder(of: identifier) else {
        continue
      }
      do throws(PieceError) {
        pieces.append(try record(of: identifier))
      } catch .notFound {
        continue
      } catch {
        broken[identifier] = error
      }
    }
    return PieceListing(pieces: pieces, broken: broken)
  }

  /// The folder of a piece. The piece's folder is always inside the library's folder, because
  /// identifiers cannot contain path separators.
  func pieceFolder(of identifier: PieceIdentifier) -> URL {
    folder.appendingPathComponent(identifier.text, isDirectory: true)
  }

  /// The names of all files and folders in the library's folder, in no particular order.
  func names() throws(PieceError) -> [String] {
    do throws(FileAccessError) {
      try checkFolder()
      return try Folder(folder).names()
    } catch .notFound {
      return []
    } catch {
      throw .file(error)
    }
  }

  /// Checks that the library's URL refers to a folder, or that nothing exists at this URL.
  func checkFolder() throws(FileAccessError) {
    try FileCopy.checkFileURL(folder)
    switch FileKind(folder, followingLinks: true) {
    case .regularFile, .other: throw .isFile(path: folder.path)
    case .folder, .nothing: break
    }
  }

  private func record(
    of identifier: PieceIdentifier
  ) throws(PieceError) -> PieceRecord {
    do { try checkFolder() } catch { throw .file(error) }
    let pieceFolder = pieceFolder(of: identifier)
    guard isFolder(of: identifier) else { throw .notFound(identifier) }
    let record: PieceRecord
    do {
      let file = pieceFolder.appendingPathComponent(Self.recordName)
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
      throw .unreadable(identifier, .invalid(position: "identifier", reason: reason))
    }
    for (part, byteCount) in record.byteCounts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      _ = try file(part, of: record, expected: byteCount)
    }
    return record
  }

  private func file(
    _ part: PiecePart, of record: PieceRecord, expected: Int64
  ) throws(PieceError) -> URL {
    let file = pieceFolder(of: record.identifier).appendingPathComponent(
      PieceStaging.name(
        of: part, format: record.format(of: part), coverFormat: record.coverFormat))
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

  /// Whether the library's folder contains a folder for a piece. Some file systems do not
  /// distinguish capital letters from small letters. Therefore the result is always false for an
  /// identifier with capital letters.
  private func isFolder(of identifier: PieceIdentifier) -> Bool {
    !identifier.hasCapitals && FileKind(pieceFolder(of: identifier)) == .folder
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
