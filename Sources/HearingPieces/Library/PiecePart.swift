/// A file of a piece.
public enum PiecePart: String, Sendable, CaseIterable, Codable {
  /// The complete music as the application rendered it: WAV.
  case mixStem
  /// The sound that is played before the piece is opened: WAV.
  case preview
  /// The cover: PNG or JPEG.
  case coverImage
  /// A file of the application, such as its document.
  case attachment
}

extension PiecePart: CustomStringConvertible {
  /// The name of the part in messages.
  public var description: String {
    switch self {
    case .mixStem: "mix stem"
    case .preview: "preview"
    case .coverImage: "cover image"
    case .attachment: "attachment"
    }
  }
}
