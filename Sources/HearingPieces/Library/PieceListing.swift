/// The contents of a library.
public struct PieceListing: Sendable, Equatable {
  /// The complete pieces, oldest first.
  public let pieces: [PieceRecord]

  /// The pieces that cannot be opened, sorted by identifier.
  public let broken: [BrokenPiece]

  /// Creates a listing and sorts both lists.
  public init(pieces: [PieceRecord], broken: [BrokenPiece] = []) {
    self.pieces = pieces.sorted {
      ($0.droppedAt, $0.identifier) < ($1.droppedAt, $1.identifier)
    }
    self.broken = broken.sorted { $0.identifier < $1.identifier }
  }

  /// A piece that cannot be opened, and the reason.
  public struct BrokenPiece: Sendable, Equatable {
    /// The identifier in the library.
    public let identifier: PieceIdentifier

    /// The reason why the piece cannot be opened.
    public let reason: PieceLibraryError

    /// Creates a broken piece.
    public init(identifier: PieceIdentifier, reason: PieceLibraryError) {
      self.identifier = identifier
      self.reason = reason
    }
  }
}
