/// A part of a piece. Each part is stored in one file.
public enum PiecePart: String, Sendable, CaseIterable, Codable {
  /// The complete music, as rendered by the application.
  case mixStem
  /// The audio that is played before the piece is opened.
  case preview
  /// The cover image, in PNG or JPEG format.
  case coverImage
  /// A file of the application, such as the document from which the piece was rendered.
  case attachment
}

extension PiecePart {
  /// True if the part is the mix stem or the preview.
  public var isSound: Bool { self == .mixStem || self == .preview }
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
