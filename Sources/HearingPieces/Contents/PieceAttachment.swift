/// A file that is stored together with a piece. For example, the attachment can be the document
/// from which the application rendered the piece.
///
///     let attachment = PieceAttachment(.file(document), type: try MediaType("audio/midi"))
///
/// This package does not interpret the contents of an attachment.
public struct PieceAttachment: Sendable {
  /// The contents of the attachment, at most ``byteLimit`` bytes.
  public let content: PieceContent

  /// The media type of the attachment.
  public let type: MediaType

  /// The maximum size of an attachment in bytes: 30 MB.
  public static let byteLimit = 30_000_000

  /// Creates an attachment. The size of the attachment is checked when the piece is added to a
  /// library.
  public init(_ content: PieceContent, type: MediaType) {
    self.content = content
    self.type = type
  }
}
