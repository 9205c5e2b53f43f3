public import HearingAudio
internal import HearingFitting

/// Why a drop did not go through; nothing of the piece is in the library.
public enum DropError: Error, Sendable, Equatable {
  /// It was cancelled.
  case cancelled
  /// The renderer failed at a part, for a reason of its own.
  case notDelivered(PiecePart, reason: String)
  /// What the renderer delivered cannot be read.
  case unreadableContent(PiecePart, FileAccessError)
  /// The mix stem, or the preview, is no sound that others could use.
  case sound(PiecePart, StemError)
  /// The cover image is none.
  case coverImage(CoverImage.Invalid)
  /// The attachment has more bytes than it may.
  case attachmentTooLarge(byteCount: Int64, limit: Int)
  /// The mix stem cannot be rendered for the listener.
  case personalisation(PersonalisedPreview.Failure)
  /// The library does not take the piece.
  case library(PieceLibraryError)
}

extension DropError: CustomStringConvertible {
  /// One line that says what was wrong with which part.
  public var description: String {
    switch self {
    case .cancelled: "the drop was cancelled"
    case .notDelivered(let part, let reason):
      "the \(part) was not delivered: \(reason.singleLine(limit: 300))"
    case .unreadableContent(let part, let error): "the \(part): \(error)"
    case .sound(let part, let error): "the \(part): \(error)"
    case .coverImage(let error): "the cover image: \(error)"
    case .attachmentTooLarge(let byteCount, let limit):
      "the attachment: \(byteCount) bytes are more than \(limit)"
    case .personalisation(let failure): "the personalised preview: \(failure)"
    case .library(let error): error.description
    }
  }
}
