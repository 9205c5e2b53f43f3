/// What is in a library.
public struct PieceListing: Sendable, Equatable {
  /// The pieces that are whole, the oldest first.
  public let pieces: [PieceRecord]

  /// What looks like a piece and cannot be opened, by identifier.
  public let broken: [BrokenPiece]

  /// A listing; both lists are put in order.
  public init(pieces: [PieceRecord], broken: [BrokenPiece] = []) {
    self.pieces = pieces.sorted {
      ($0.droppedAt, $0.identifier) < ($1.droppedAt, $1.identifier)
    }
    self.broken = broken.sorted { $0.identifier < $1.identifier }
  }

  /// A piece that cannot be opened, and why.
  public struct BrokenPiece: Sendable, Equatable {
    /// Its name in the library.
    public let identifier: PieceIdentifier

    /// What is wrong with it.
    public let reason: PieceLibraryError

    /// A broken piece.
    public init(identifier: PieceIdentifier, reason: PieceLibraryError) {
      self.identifier = identifier
      self.reason = reason
    }
  }
}
