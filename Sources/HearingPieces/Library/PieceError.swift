public import HearingAudio

/// Why a part of a piece cannot be had.
public enum PieceError: Error, Sendable, Equatable {
  /// The sound was asked for in a format that nothing here can write.
  case unsupportedFormat(PieceAudioFormat)
  /// The library cannot give it.
  case library(PieceLibraryError)
  /// The copy cannot be written.
  case file(FileAccessError)
  /// The task was cancelled; no copy was made.
  case cancelled
}

extension PieceError {
  /// What copying a part throws.
  init(copying error: any Error) {
    switch error {
    case let error as FileAccessError: self = .file(error)
    case is CancellationError: self = .cancelled
    default: self = .library(.unavailable(reason: "\(error)"))
    }
  }
}

extension PieceError: CustomStringConvertible {
  /// One line that says what was wrong.
  public var description: String {
    switch self {
    case .unsupportedFormat(let format):
      "nothing here can write \"\(format.rawValue)\"; a mix stem comes as "
        + PieceAudioFormat.writable.map(\.rawValue).joined(separator: ", ")
    case .library(let error): error.description
    case .file(let error): error.description
    case .cancelled: "cancelled"
    }
  }
}
