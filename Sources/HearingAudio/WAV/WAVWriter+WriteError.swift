extension WAVWriter {
  /// Why a WAV file cannot be written.
  public enum WriteError: Error, Sendable, Equatable {
    /// The file cannot be created, written or put into its place.
    case file(FileAccessError)
  }
}

extension WAVWriter.WriteError: CustomStringConvertible {
  /// One line that says what failed, where and why.
  public var description: String {
    switch self {
    case .file(let error): error.description
    }
  }
}
