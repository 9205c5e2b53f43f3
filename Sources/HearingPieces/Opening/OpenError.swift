internal import HearingFitting

/// Why a link of the application's own opens no piece.
public enum OpenError: Error, Sendable, Equatable {
  /// The link is not of the form `ah-<application identifier>://piece/<identifier>`.
  case malformedLink(String)
  /// The library cannot give the piece.
  case library(PieceLibraryError)
}

extension OpenError: CustomStringConvertible {
  /// One line that says what was wrong.
  public var description: String {
    switch self {
    case .malformedLink(let link): "\(link.inQuotationMarks) is no link to a piece"
    case .library(let error): error.description
    }
  }
}
