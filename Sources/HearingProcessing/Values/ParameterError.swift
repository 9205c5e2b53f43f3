public import Foundation

/// A failed attempt of an applicator to apply a value.
public struct Attempt: Sendable, Equatable {
  /// The name of the applicator, or nil if the applicator has no name.
  public var applicator: String?
  /// A description of the value that the applicator should have applied.
  public var value: String

  /// Creates an attempt. Apps can use this initializer in their tests.
  public init(applicator: String? = nil, value: String) {
    self.applicator = applicator
    self.value = value
  }

  /// Creates an attempt that describes `value` in at most 200 characters.
  init(applicator: String?, describing value: some Sendable) {
    self.init(applicator: applicator, value: String("\(value)".prefix(200)))
  }
}

/// The reason why a value was not applied.
///
/// Two errors are equal if their cases and their associated values are equal. Associated values of
/// the type `any Error` are not compared.
public enum ParameterError: Error {
  /// The `canApply` handler of an applicator returned false. No applicator has applied the value.
  /// If an applicator refuses the value while an interruption switches processing off, the other
  /// applicators are still called.
  case cannotApply(Attempt)
  /// An applicator answered with a failure. The applicators after the failed applicator were not
  /// called. If an applicator fails while an interruption switches processing off, the other
  /// applicators are still called.
  case applyFailed(any Error, Attempt)
  /// An applicator did not answer within its time-out.
  case applyTimeoutExceeded(Attempt)
  /// An applicator released its result handler without calling the handler.
  case abandoned(Attempt)
  /// A later value replaced this value before the applicators were called. A running load also
  /// fails with this error if another load begins, or if the parameter accepts another value.
  case superseded
  /// The value was not applied because of an interruption of the session. No value of `isEnabled`
  /// can be applied until all interruptions are resolved. A value of any parameter also fails with
  /// this error if the value delays an interruption for more than one second.
  case interrupted
  /// The parameter does not accept the value, for example an intensity above 1 or NaN. The
  /// associated string describes the value.
  case invalidValue(String)
  /// The session was deactivated.
  case sessionDeactivated
  /// The data source could not load a value.
  case loadFailed(any Error)
}

extension ParameterError: Equatable {
  /// Compares the cases and the associated values of two errors. Associated values of the type
  /// `any Error` are not compared.
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
  /// A message for the user, in one sentence.
  public var errorDescription: String? { description }

  /// One sentence that says what happened, and which applicator failed.
  public var description: String {
    switch self {
    case .cannotApply(let attempt):
      "\(attempt.name) cannot apply \(attempt.value) now."
    case .applyFailed(let error, let attempt):
      "\(attempt.name) could not apply \(attempt.value): \(error.sentence)"
    case .applyTimeoutExceeded(let attempt):
      "\(attempt.name) did not answer in time when asked to apply \(attempt.value)."
    case .abandoned(let attempt):
      "\(attempt.name) gave no answer when asked to apply \(attempt.value)."
    case .superseded: "A later value replaced this value."
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
  /// The localized description of the error, or the default description if the error has no
  /// localized description.
  var sentence: String {
    (self as? any LocalizedError)?.errorDescription ?? "\(self)"
  }
}
