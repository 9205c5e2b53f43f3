internal import HearingFitting

/// An error in a command line. The command ends with ``CommandFailure/ExitCode/usage``.
///
/// Two cases, help and version, are requests instead of errors. They are thrown because the reader
/// must stop at these options. For these cases, ``Command`` exits with code 0.
public enum UsageError: Error, Sendable, Equatable {
  /// The user asked for the help text.
  case helpRequested
  /// The user asked for the version.
  case versionRequested
  /// There is no option of this name.
  case unknownOption(String)
  /// There is no command of this name among `known`.
  case unknownCommand(String, known: [String])
  /// An option occurs more than once.
  case repeatedOption(String)
  /// An option needs a value and has none.
  case missingValue(option: String)
  /// An option has a value but accepts no value.
  case unexpectedValue(option: String, value: String)
  /// A value is not a number.
  case notANumber(option: String, value: String)
  /// A value is not a whole number.
  case notAWholeNumber(option: String, value: String)
  /// A number is outside the permitted range. `permitted` describes the range, such as "0…1".
  case outOfRange(option: String, value: String, permitted: String)
  /// A value is not one of the permitted values.
  case unknownValue(option: String, value: String, permitted: [String])
  /// A value is invalid for another reason.
  case invalidValue(option: String, reason: String)
  /// A value is not a date such as 2025-03-14.
  case notADay(option: String, value: String)
  /// A required argument is missing.
  case missingOperand(String)
  /// A required option is missing.
  case missingOption(String)
  /// The command line has one argument too many.
  case unexpectedOperand(String)
  /// An option cannot be combined with another argument.
  case conflict(String, with: String)
  /// An option requires another option, which is missing.
  case missingCompanion(option: String, needs: String)
  /// The same file is named for two arguments.
  case samePath(String, first: String, second: String)
}

extension UsageError: CustomStringConvertible {
  /// One line that names the wrong argument.
  public var description: String {
    switch self {
    case .helpRequested: "help requested"
    case .versionRequested: "version requested"
    case .unknownOption(let name): "unknown option \(name.quoted)"
    case .unknownCommand(let name, let known):
      "unknown command \(name.quoted); "
        + (Spelling.nearest(to: name, in: known).map { "did you mean \($0)?" }
          ?? "the commands are \(known.joined(separator: ", "))")
    case .repeatedOption(let name): "\(name) occurs more than once"
    case .missingValue(let option): "\(option) needs a value"
    case .unexpectedValue(let option, let value): "\(option) takes no value, not \(value.quoted)"
    case .notANumber(let option, let value): "\(option): \(value.quoted) is not a number"
    case .notAWholeNumber(let option, let value):
      "\(option): \(value.quoted) is not a whole number"
    case .outOfRange(let option, let value, let permitted):
      "\(option): \(value.singleLine(limit: 40)) is outside \(permitted)"
    case .unknownValue(let option, let value, let permitted):
      "\(option): \(value.quoted) is not one of \(permitted.joined(separator: ", "))"
    case .invalidValue(let option, let reason): "\(option): \(reason.singleLine(limit: 200))"
    case .notADay(let option, let value):
      "\(option): \(value.quoted) is not a date such as 2025-03-14"
    case .missingOperand(let name), .missingOption(let name): "\(name) is missing"
    case .unexpectedOperand(let text): "\(text.quoted) is one argument too many"
    case .conflict(let option, let other):
      "\(option) cannot be combined with \(other.singleLine(limit: 80))"
    case .missingCompanion(let option, let needed): "\(option) needs \(needed)"
    case .samePath(let path, let first, let second):
      "\(first) and \(second) are the same file, \(path.quoted)"
    }
  }
}
