/// What a piece is made of beside its metadata.
public enum PiecePart: String, Sendable, CaseIterable, Codable {
  /// The music, complete and as the application rendered it: WAV.
  case mixStem
  /// What is heard before the piece is opened: WAV.
  case preview
  /// A picture.
  case coverImage
  /// Anything that the application wants to find again, such as its own document.
  case attachment
}

extension PiecePart: CustomStringConvertible {
  /// The part as one speaks of it.
  public var description: String {
    switch self {
    case .mixStem: "mix stem"
    case .preview: "preview"
    case .coverImage: "cover image"
    case .attachment: "attachment"
    }
  }
}
