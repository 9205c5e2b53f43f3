/// Why something that concerns a session failed.
public enum ProcessingError: Error {
  /// The controller has a session already; deactivate it first.
  case sessionAlreadyActivated
  /// There is no session, or it was deactivated.
  case sessionDeactivated
  /// The session is interrupted, but not for this reason.
  case interruptionNotFound
  /// The session is not interrupted at all.
  case notInterrupted
  /// A parameter did not take the value that was needed.
  case parameter(ParameterError)
  /// The recommendation source could not say what to do.
  case recommendationFailed(any Error)

  /// The same failure one floor up: a session that is over is over for its parameters too.
  init(_ error: ParameterError) {
    if case .sessionDeactivated = error {
      self = .sessionDeactivated
    } else {
      self = .parameter(error)
    }
  }
}

extension ProcessingError: CustomStringConvertible {
  /// One line that says what happened.
  public var description: String {
    switch self {
    case .sessionAlreadyActivated: "a session is active already"
    case .sessionDeactivated: "the session was deactivated"
    case .interruptionNotFound: "the session is not interrupted for this reason"
    case .notInterrupted: "the session is not interrupted"
    case .parameter(let error): "a parameter did not change: \(error)"
    case .recommendationFailed(let error): "no recommendation: \(error)"
    }
  }
}
