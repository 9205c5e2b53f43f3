import ExampleSupport
import HearingAudio
import HearingPieces

extension CommandFailure {
  /// Creates the failure for a piece that the library cannot read or store, or for a link that
  /// cannot be opened.
  init(_ error: PieceError, library: String) {
    switch error {
    case .notFound(let identifier):
      self = .noInput(path: library, reason: "there is no piece \"\(identifier)\"")
    case .noFormat:
      self = .usage(.invalidValue(option: "--format", reason: error.description))
    case .noPart, .unreadable, .damaged, .corrupted, .alreadyThere:
      self = .badData(input: library, reason: error.description)
    case .file(.isFile): self = .noInput(path: library, reason: "is a file, not a folder")
    case .file(let error), .cannotCopy(let error): self.init(error, writing: error.path)
    case .malformedLink: self = .badData(input: "URL", reason: error.description)
    case .cancelled: self = .cannotWrite(path: library, reason: error.description)
    case .refused(let reason), .unavailable(let reason):
      self = .noInput(path: library, reason: reason)
    }
  }

  /// Creates the failure for a piece that cannot be added to the library.
  init(_ error: DropError, dropping options: DropOptions, library: String) {
    switch error {
    case .cancelled: self = .cannotWrite(path: library, reason: "stopped by a signal")
    case .unreadableContent(_, let error):
      self = .noInput(path: error.path, reason: error.reason)
    case .content(.coverImage, let error):
      self = .badData(input: options.cover ?? "", reason: error.description)
    case .content(.attachment, _):
      self = .badData(input: options.attachment ?? "", reason: error.description)
    case .content, .metadata, .personalisation, .notDelivered:
      self = .badData(input: options.input, reason: error.description)
    case .library(.file(.isFile)):
      self = .cannotWrite(path: library, reason: "is a file, not a folder")
    case .library(let error): self.init(error, library: library)
    }
  }

  /// Creates the failure for the sound of a piece that cannot be exported.
  init(_ error: PieceError, exportingTo output: String, library: String) {
    switch error {
    case .cannotCopy(let error): self.init(error, writing: output)
    case .cancelled: self = .cannotWrite(path: output, reason: error.description)
    default: self.init(error, library: library)
    }
  }
}
