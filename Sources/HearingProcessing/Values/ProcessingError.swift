public import Foundation

/// The reason why an operation of a session or its controller failed.
public enum ProcessingError: Error {
  /// The controller already has a session. Deactivate this session first.
  case sessionAlreadyActivated
  /// There is no session, or the session was deactivated.
  case sessionDeactivated
  /// The session is interrupted, but not for the given reason.
  case interruptionNotFound
  /// The session is not interrupted at all.
  case notInterrupted
  /// A parameter could not apply a value that the operation requires.
  case parameter(ParameterError)
  /// The recommendation source failed.
  case recommendationFailed(any Error)

  /// Wraps a parameter's error. `ParameterError.sessionDeactivated` becomes
  /// `ProcessingError.sessionDeactivated`.
  init(_ error: ParameterError) {
    self = error == .sessionDeactivated ? .sessionDeactivated : .parameter(error)
  }
}

extension ProcessingError: Equatable {
  /// Compares the cases of two errors and the associated values of type `ParameterError`. The
  /// errors of recommendation sources are not compared.
  public static func == (left: ProcessingError, right: ProcessingError) -> Bool {
    switch (left, right) {
    case (.parameter(let left), .parameter(let right)):
      left == right
    case (.sessionAlreadyActivated, .sessionAlreadyActivated),
      (.sessionDeactivated, .sessionDeactivated), (.interruptionNotFound, .interruptionNotFound),
      (.notInterrupted, .notInterrupted), (.recommendationFailed, .recommendationFailed):
      true
    default:
      false
    }
  }
}

extension ProcessingError: LocalizedError, CustomStringConvertible {
  /// A message for the user, in one sentence.
  public var errorDescription: String? { description }

  /// One sentence that says what happened.
  public var description: String {
    switch self {
    case .sessionAlreadyActivated: "A session is active already. Deactivate it first."
    case .sessionDeactivated: "The session has ended. Activate a new one."
    case .interruptionNotFound: "The session is not interrupted for this reason."
    case .notInterrupted: "The session is not interrupted."
    case .parameter(let error): error.description
    case .recommendationFailed(let error): "There is no recommendation: \(error.sentence)"
    }
  }
}
