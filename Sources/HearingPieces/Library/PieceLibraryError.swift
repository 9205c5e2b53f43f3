public import HearingAudio
public import HearingFitting

/// Why a library cannot give or take a piece.
public enum PieceLibraryError: Error, Sendable, Equatable {
  /// The library has no such piece.
  case notFound(PieceIdentifier)
  /// The piece has no such part.
  case noPart(PiecePart, of: PieceIdentifier)
  /// The library has a piece of this identifier already.
  case alreadyThere(PieceIdentifier)
  /// What the library holds of the piece makes no sense; the place in its record, if there is one.
  case unreadable(PieceIdentifier, UnreadableDocument)
  /// A part of the piece is missing, or has another length than it had when it was dropped.
  case damaged(PieceIdentifier, part: PiecePart, byteCount: Int64?, expected: Int64)
  /// A file cannot be read or written.
  case file(FileAccessError)
  /// The library does not take this application's identifier or key.
  case refused(reason: String)
  /// The library cannot be reached, or fails for a reason of its own.
  case unavailable(reason: String)
}

extension PieceLibraryError: CustomStringConvertible {
  /// One line that says what is wrong with which piece.
  public var description: String {
    switch self {
    case .notFound(let identifier): "there is no piece \"\(identifier)\""
    case .noPart(let part, let identifier): "piece \"\(identifier)\" has no \(part)"
    case .alreadyThere(let identifier): "there is a piece \"\(identifier)\" already"
    case .unreadable(let identifier, let error): "piece \"\(identifier)\": \(error)"
    case .damaged(let identifier, let part, let byteCount, let expected):
      "piece \"\(identifier)\": its \(part) "
        + (byteCount.map { "has \($0) of \(expected) bytes" } ?? "is missing")
    case .file(let error): error.description
    case .refused(let reason): "the library refuses: \(reason.singleLine(limit: 300))"
    case .unavailable(let reason):
      "the library is not available: \(reason.singleLine(limit: 300))"
    }
  }
}
