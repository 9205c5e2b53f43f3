/// Why a value did not become a parameter's value.
public enum ParameterError: Error {
  /// An applicator's `canApply` said no; nothing was applied.
  case cannotApply
  /// An applicator answered with a failure; the applicators after it were not asked.
  case applyFailed(any Error)
  /// An applicator did not answer within its time-out.
  case applyTimeoutExceeded
  /// An applicator dropped its result handler without an answer.
  case abandoned
  /// A later value took the place of this one before it was delivered, or something was applied
  /// while this one was being loaded.
  case superseded
  /// The session is interrupted, and `isEnabled` cannot be applied meanwhile.
  case interrupted
  /// The parameter does not take such a value, for example an intensity above 1 or NaN.
  case invalidValue
  /// The session was deactivated.
  case sessionDeactivated
  /// The data source could not load a value.
  case loadFailed(any Error)
}

extension ParameterError: CustomStringConvertible {
  /// One line that says what happened.
  public var description: String {
    switch self {
    case .cannotApply: "an applicator cannot apply this value"
    case .applyFailed(let error): "an applicator failed: \(error)"
    case .applyTimeoutExceeded: "an applicator did not answer in time"
    case .abandoned: "an applicator dropped its result handler without an answer"
    case .superseded: "a later value took its place"
    case .interrupted: "the session is interrupted"
    case .invalidValue: "the parameter does not take this value"
    case .sessionDeactivated: "the session was deactivated"
    case .loadFailed(let error): "loading failed: \(error)"
    }
  }
}
