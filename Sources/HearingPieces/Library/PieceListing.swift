/// The contents of a library.
public struct PieceListing: Sendable, Equatable {
  /// The complete pieces, in the order in which they were added to the library.
  public let pieces: [PieceRecord]

  /// The pieces that cannot be opened, each with the reason.
  public let broken: [PieceIdentifier: PieceError]

  /// Creates a listing. The initializer sorts the complete pieces by the time at which they were
  /// added to the library.
  public init(pieces: [PieceRecord], broken: [PieceIdentifier: PieceError] = [:]) {
    self.pieces = pieces.sorted {
      ($0.droppedAt, $0.identifier) < ($1.droppedAt, $1.identifier)
    }
    self.broken = broken
  }
}
