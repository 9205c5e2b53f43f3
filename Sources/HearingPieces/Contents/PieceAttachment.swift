/// A file that travels with a piece, such as the document that it was made with.
///
///     let attachment = PieceAttachment(.file(document), type: try MediaType("audio/midi"))
///
/// Its contents are not interpreted.
public struct PieceAttachment: Sendable {
  /// The bytes, at most ``byteLimit``.
  public let content: PieceContent

  /// The type of the bytes.
  public let type: MediaType

  /// The most bytes of an attachment: 30 MB.
  public static let byteLimit = 30_000_000

  /// Creates an attachment; its size is checked when the piece is dropped.
  public init(_ content: PieceContent, type: MediaType) {
    self.content = content
    self.type = type
  }
}
