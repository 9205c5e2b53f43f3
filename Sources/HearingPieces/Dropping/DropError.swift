public import HearingAudio
internal import HearingFitting

/// The reason why a drop operation failed. A drop operation adds a piece to a library. After a
/// failure, the library contains no part of the piece.
public enum DropError: Error, Sendable, Equatable {
  /// The drop operation was cancelled.
  case cancelled
  /// The application's renderer did not deliver a part of the piece.
  case notDelivered(PiecePart, reason: String)
  /// The renderer delivered a part of the piece, but the content of the part cannot be read.
  case unreadableContent(PiecePart, FileAccessError)
  /// The content of a part is invalid.
  case content(PiecePart, PieceContent.Invalid)
  /// The metadata of the piece are not valid for the length of the mix stem (the complete music of
  /// the piece). For example, the loop ends after the end of the mix stem.
  case metadata(PieceMetadata.Invalid)
  /// The preview for one listener cannot be rendered from the mix stem.
  case personalisation(RenderingError)
  /// The library returned an error.
  case library(PieceError)
}

extension DropError: CustomStringConvertible {
  /// The error in one line. If a part of the piece caused the error, the description contains the
  /// name of the part.
  public var description: String {
    switch self {
    case .cancelled: "the drop was cancelled"
    case .notDelivered(let part, let reason):
      "the \(part) was not delivered: \(reason.singleLine(limit: 300))"
    case .unreadableContent(let part, let error): "the \(part): \(error)"
    case .content(let part, let error): "the \(part): \(error)"
    case .metadata(let error): "the metadata: \(error)"
    case .personalisation(let failure): "the personalised preview: \(failure)"
    case .library(let error): error.description
    }
  }
}
