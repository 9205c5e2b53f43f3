public import Foundation

/// The bytes of a part of a piece, as a renderer delivers them.
public enum PieceContent: Sendable {
  /// In memory.
  case data(Data)
  /// A regular file, of which a copy is made; it stays the application's, to be kept until the drop
  /// has ended.
  case file(URL)
}
