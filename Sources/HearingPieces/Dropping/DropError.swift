public import HearingAudio
internal import HearingFitting

/// The reason why a drop operation failed. After a failure, the library contains no part of the
/// piece.
public enum DropError: Error, Sendable, Equatable {
  /// The drop operation was cancelled.
  case cancelled
  /// The renderer did not deliver a part of the piece.
  case notDelivered(PiecePart, reason: String)
  /// The renderer delivered a part of the piece, but the content of the part cannot be read.
  case unreadableContent(PiecePart, FileAccessError)
  /// The content of a part is invalid.
  case content(PiecePart, PieceContent.Invalid)
  /// The metadata of the piece are not valid for the length of the mix stem, for example because
  /// the loop ends after the mix stem.
  case metadata(PieceMetadata.Invalid)
  /// The mix stem cannot be rendered for the listener.
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
