public import HearingFitting

extension CommandFailure {
  /// Why the file at `path` was not read, as a command tells it.
  public init(_ reason: UnreadableDocument, reading path: String) {
    switch reason {
    case .inaccessible(let reason): self = .noInput(path: path, reason: reason)
    default: self = .badData(place: path, reason: reason.description)
    }
  }
}
