public import Foundation
public import HearingAudio
public import HearingFitting

/// Stores pieces of music. ``FolderPieceLibrary`` conforms to this protocol. An application can
/// implement a custom library.
///
/// A library receives only complete and valid pieces. Several threads may call the functions at the
/// same time, even for the same piece. Each function receives the configuration of the application,
/// and may reject the application.
public protocol PieceLibrary: Sendable {
  /// Creates a hidden folder for a new piece.
  func beginDrop(
    for configuration: PieceConfiguration
  ) async throws(PieceError) -> PieceStaging

  /// Makes a piece visible after all parts have been written. Either the whole piece becomes
  /// visible, or the function throws an error and no part of the piece becomes visible. After the
  /// call, only the library may use the hidden folder.
  func completeDrop(
    _ staging: PieceStaging, _ record: PieceRecord, for configuration: PieceConfiguration
  ) async throws(PieceError)

  /// Removes the hidden folder of a piece that will not be completed. The function throws no error,
  /// even if some files cannot be removed.
  func abandonDrop(_ staging: PieceStaging, for configuration: PieceConfiguration) async

  /// Returns all pieces that are visible to the application, including broken pieces.
  func listing(for configuration: PieceConfiguration) async throws(PieceError)
    -> PieceListing

  /// Returns the record of one piece.
  func record(
    of identifier: PieceIdentifier, for configuration: PieceConfiguration
  ) async throws(PieceError) -> PieceRecord

  /// Returns the formats in which the library can deliver the mix stem or the preview. The first
  /// format is the format of the original audio file. The default implementation returns only the
  /// format of the original audio file.
  func formats(
    of part: PiecePart, in record: PieceRecord, for configuration: PieceConfiguration
  ) async throws(PieceError) -> [PieceAudioFormat]

  /// Returns a file with a part of a piece. The file may be a copy. The caller must not change the
  /// file.
  ///
  /// - Parameters:
  ///   - part: The requested part of the piece.
  ///   - record: The record of the piece.
  ///   - format: The requested format of the mix stem or the preview. If `format` is nil, the file
  ///     has its original format. For a cover image or an attachment, `format` must be nil.
  ///   - configuration: The configuration of the application that requests the file.
  /// - Throws: ``PieceError/noFormat(_:of:available:)`` if `formats(of:in:for:)` does not return
  ///   the format.
  func file(
    _ part: PiecePart, of record: PieceRecord, format: PieceAudioFormat?,
    for configuration: PieceConfiguration
  ) async throws(PieceError) -> URL
}

extension PieceLibrary {
  /// Returns the format of the original audio file. Returns an empty array if the part is not
  /// audio, or if the piece does not have this part.
  public func formats(
    of part: PiecePart, in record: PieceRecord, for configuration: PieceConfiguration
  ) async throws(PieceError) -> [PieceAudioFormat] {
    part.isSound && record.has(part) ? [record.format(of: part)] : []
  }
}

/// The reason why an operation on a piece or a library failed.
public enum PieceError: Error, Sendable, Equatable {
  /// The library has no piece with the requested identifier.
  case notFound(PieceIdentifier)
  /// The piece does not have this part.
  case noPart(PiecePart, of: PieceIdentifier)
  /// The library does not deliver the part in the requested format. `available` contains the
  /// formats that the library can deliver.
  case noFormat(PieceAudioFormat, of: PiecePart, available: [PieceAudioFormat])
  /// The library already has a piece with this identifier.
  case alreadyThere(PieceIdentifier)
  /// The record of the piece is invalid.
  case unreadable(PieceIdentifier, UnreadableDocument)
  /// A part of the piece is missing, or the length of the part has changed since the piece was
  /// stored.
  case damaged(PieceIdentifier, part: PiecePart, byteCount: Int64?, expected: Int64)
  /// The contents of a part of the piece have changed since the piece was stored.
  case corrupted(PieceIdentifier, part: PiecePart)
  /// A file cannot be read or written.
  case file(FileAccessError)
  /// The library rejects the application's identifier or key.
  case refused(reason: String)
  /// The library cannot be reached, or an error occurred that no other case describes.
  case unavailable(reason: String)
  /// The link does not have the form `<URL scheme>://piece/<identifier>`. A library never throws
  /// this error.
  case malformedLink(String)
  /// The copy of a mix stem cannot be written. A library never throws this error.
  case cannotCopy(FileAccessError)
  /// The task was cancelled, and no copy was written. A library never throws this error.
  case cancelled
}

extension PieceError: CustomStringConvertible {
  /// The error in one line. If the error concerns one piece, the description contains the
  /// identifier of this piece.
  public var description: String {
    switch self {
    case .notFound(let identifier): "there is no piece \"\(identifier)\""
    case .noPart(let part, let identifier): "piece \"\(identifier)\" has no \(part)"
    case .noFormat(let format, let part, let available):
      "the \(part) is not available as \(format), only as "
        + available.map(\.rawValue).joined(separator: ", ")
    case .alreadyThere(let identifier): "piece \"\(identifier)\" already exists"
    case .unreadable(let identifier, let error): "piece \"\(identifier)\": \(error)"
    case .damaged(let identifier, let part, let byteCount, let expected):
      "piece \"\(identifier)\": its \(part) "
        + (byteCount.map { "has \($0) of \(expected) bytes" } ?? "is missing")
    case .corrupted(let identifier, let part):
      "piece \"\(identifier)\": its \(part) is damaged; its contents have changed since the drop"
    case .file(let error): error.description
    case .refused(let reason): "the library refuses: \(reason.singleLine(limit: 300))"
    case .unavailable(let reason):
      "the library is not available: \(reason.singleLine(limit: 300))"
    case .malformedLink(let link): "\(link.inQuotationMarks) is not a link to a piece"
    case .cannotCopy(let error): error.description
    case .cancelled: "cancelled"
    }
  }
}
