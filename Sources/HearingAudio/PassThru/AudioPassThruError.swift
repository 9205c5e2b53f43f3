/// Why a request for audio data failed.
public enum AudioPassThruError: Error, Sendable, Equatable {
  /// Another request is running, and goes on running.
  case requestRunning
  /// The longest duration is not within 1…1,000,000 ms.
  case durationOutOfRange(milliseconds: Int)
  /// More than two lines are to be shown.
  case tooManyDisplayTexts(Int)
  /// There is no processor for the sound that was asked for.
  case processingUnavailable(reason: String)
  /// The source broke off, for the reason that it gave.
  case sourceFailed(reason: String)
  /// The connection was closed, or the pass-thru released, while the request ran.
  case disconnected
}

extension AudioPassThruError: CustomStringConvertible {
  /// One line that says what happened.
  public var description: String {
    switch self {
    case .requestRunning: "another request for audio data is running"
    case .durationOutOfRange(let milliseconds):
      "the longest duration is 1…1000000 ms, not \(milliseconds)"
    case .tooManyDisplayTexts(let count): "at most 2 texts can be shown, not \(count)"
    case .processingUnavailable(let reason): "the sound cannot be processed: \(reason)"
    case .sourceFailed(let reason): "the source of the sound failed: \(reason)"
    case .disconnected: "the connection was closed"
    }
  }
}
