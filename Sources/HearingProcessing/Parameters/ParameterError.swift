public import Foundation

/// Which applicator failed, and at what.
public struct Attempt: Sendable, Equatable {
  /// The name that the applicator was given; nil if none.
  public var applicator: String?
  /// The value that it was to apply, in words.
  public var value: String

  /// An attempt, for an app's own tests.
  public init(applicator: String? = nil, value: String) {
    self.applicator = applicator
    self.value = value
  }

  /// Describes `value` in at most 200 characters.
  @inlinable
  init(applicator: String?, describing value: some Sendable) {
    self.init(applicator: applicator, value: String("\(value)".prefix(200)))
  }
}

/// Why a value did not become a parameter's value.
///
/// Two errors are equal if their cases and attempts are; the errors of applicators and data sources
/// that they carry are not compared.
public enum ParameterError: Error {
  /// An applicator's `canApply` returned false; nothing was applied.
  case cannotApply(Attempt)
  /// An applicator answered with a failure; the applicators after it were not asked.
  case applyFailed(any Error, Attempt)
  /// An applicator did not answer within its time-out.
  case applyTimeoutExceeded(Attempt)
  /// An applicator released its result handler without an answer.
  case abandoned(Attempt)
  /// A later value took the place of this one before it was delivered, or something was applied
  /// while this one was being loaded.
  case superseded
  /// The session is interrupted, and `isEnabled` cannot be applied meanwhile.
  case interrupted
  /// The parameter does not take such a value, for example an intensity above 1 or NaN. The value in
  /// words.
  case invalidValue(String)
  /// The session was deactivated.
  case sessionDeactivated
  /// The data source could not load a value.
  case loadFailed(any Error)
}

extension ParameterError: Equatable {
  /// Compares cases and attempts.
  public static func == (left: ParameterError, right: ParameterError) -> Bool {
    switch (left, right) {
    case (.cannotApply(let left), .cannotApply(let right)),
      (.applyFailed(_, let left), .applyFailed(_, let right)),
      (.applyTimeoutExceeded(let left), .applyTimeoutExceeded(let right)),
      (.abandoned(let left), .abandoned(let right)):
      left == right
    case (.invalidValue(let left), .invalidValue(let right)):
      left == right
    case (.superseded, .superseded), (.interrupted, .interrupted),
      (.sessionDeactivated, .sessionDeactivated), (.loadFailed, .loadFailed):
      true
    default:
      false
    }
  }
}

extension ParameterError: LocalizedError, CustomStringConvertible {
  /// A sentence that a person can act on.
  public var errorDescription: String? { description }

  /// One sentence that says what happened, and to whom.
  public var description: String {
    switch self {
    case .cannotApply(let attempt):
      "\(attempt.name) cannot apply \(attempt.value) now. Nothing was changed."
    case .applyFailed(let error, let attempt):
      "\(attempt.name) could not apply \(attempt.value): \(error.sentence)"
    case .applyTimeoutExceeded(let attempt):
      "\(attempt.name) did not answer in time when asked to apply \(attempt.value)."
    case .abandoned(let attempt):
      "\(attempt.name) gave no answer when asked to apply \(attempt.value)."
    case .superseded: "A later value took the place of this one."
    case .interrupted:
      "Processing is interrupted. It can be switched on when the interruption ends."
    case .invalidValue(let value): "\(value) is not a possible value."
    case .sessionDeactivated: "The session has ended. Activate a new one."
    case .loadFailed(let error): "The value could not be loaded: \(error.sentence)"
    }
  }
}

extension Attempt {
  fileprivate var name: String { applicator ?? "An applicator" }
}

extension Error {
  /// The error in a person's words if it has some.
  var sentence: String {
    (self as? any LocalizedError)?.errorDescription ?? "\(self)"
  }
}
