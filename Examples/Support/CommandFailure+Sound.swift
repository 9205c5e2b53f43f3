public import HearingAudio

extension CommandFailure {
  /// Why the file at `path` was not written, as a command tells it.
  public init(_ error: FileAccessError, writing path: String) {
    switch error {
    case .notFound, .folderNotFound, .isFolder, .permissionDenied:
      self = .cannotCreate(path: path, reason: error.reason)
    case .noSpaceLeft, .system:
      self = .cannotWrite(path: path, reason: error.reason)
    }
  }

  /// Why the sound file at `path` was not read, as a command tells it.
  public init(_ error: WAVReadError, reading path: String) {
    switch error {
    case .file(let error): self = .noInput(path: error.path, reason: error.reason)
    default: self = .badData(place: path, reason: error.description)
    }
  }

  /// Why the sound file at `path` was not written, as a command tells it.
  public init(_ error: WAVWriter.WriteError, writing path: String) {
    switch error {
    case .file(let error): self.init(error, writing: path)
    }
  }
}
